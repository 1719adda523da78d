import { formatCost, formatCount, formatNumber } from "../../components/index.ts";
import { Card } from "./card.tsx";
import classes from "./home-page.module.css";
import type { ConnectionCost } from "./summarize.ts";

const monthName = new Intl.DateTimeFormat("en", { month: "long" });

interface CostCardProps {
  /** The dearest first. */
  readonly costs: readonly ConnectionCost[];
  readonly month: number;
}

/** What the month's answers cost, by connection. An unknown cost is shown as such and adds nothing. */
export function CostCard({ costs, month }: CostCardProps) {
  const sum = (read: (cost: ConnectionCost) => number) => costs.reduce((total, cost) => total + read(cost), 0);
  const [answers, known] = [sum((cost) => cost.answers), sum((cost) => cost.known)];
  const most = Math.max(...costs.map(({ usd }) => usd ?? 0));
  return (
    <Card title={monthName.format(month)}>
      <div className={classes.costs}>
        <p className={classes.total}>
          {known === 0 ? "No price known" : <strong>{formatCost(sum(({ usd }) => usd ?? 0))}</strong>}{" "}
          <span className={classes.soft}>
            {known === 0 || known >= answers
              ? formatCount(answers, "answer")
              : `for ${formatNumber(known)} of ${formatCount(answers, "answer")}`}
          </span>
        </p>
        <dl className={classes.costList}>
          {costs.map(({ id, name, usd }) => (
            <div key={id} className={classes.cost}>
              <dt dir="auto">{name}</dt>
              <dd>
                <span className={classes.costBar} style={{ width: `${most === 0 ? 0 : ((usd ?? 0) / most) * 100}%` }} />
              </dd>
              <dd>{usd === null ? "no price" : formatCost(usd)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}
