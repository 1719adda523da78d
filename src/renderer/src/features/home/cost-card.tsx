import { Button } from "@mantine/core";
import { useState } from "react";
import { monthOf, sumKnownCosts } from "#contract";
import { formatCount, formatKnownCost, formatNumber } from "../../components/index.ts";
import { Card } from "./card.tsx";
import classes from "./home-page.module.css";
import { MonthCosts } from "./month-costs.tsx";
import type { ConnectionCost } from "./summarize.ts";

const monthName = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });

interface CostCardProps {
  /** The dearest first. */
  readonly costs: readonly ConnectionCost[];
  readonly month: number;
}

/** What the month's answers cost, by connection. An unknown cost is shown as such and adds nothing. */
export function CostCard({ costs, month }: CostCardProps) {
  const [isOpen, setOpen] = useState(false);
  const sum = (read: (cost: ConnectionCost) => number) => costs.reduce((total, cost) => total + read(cost), 0);
  const [answers, reused] = [sum((cost) => cost.answers), sum((cost) => cost.reused)];
  const total = sumKnownCosts(costs.map((one) => ({ cost: one.cost, asked: one.answers })));
  const unknown = total?.unknown ?? 0;
  const most = Math.max(...costs.map(({ cost }) => cost?.usd ?? 0));
  return (
    <Card title={monthName.format(month)}>
      <div className={classes.costs}>
        <p className={classes.total}>
          {total === null ? "No price known" : <strong>{formatKnownCost(total)}</strong>}{" "}
          <span className={classes.soft}>
            {formatCount(answers, "answer")}
            {unknown > 0 ? `, no price for ${formatNumber(unknown)}` : null}
            {reused > 0 ? `, and ${formatNumber(reused)} reused` : null}
          </span>
        </p>
        <dl className={classes.costList}>
          {costs.map(({ id, name, cost }) => (
            <div key={id} className={classes.cost}>
              <dt dir="auto">{name}</dt>
              <dd>
                <span
                  className={classes.costBar}
                  style={{ width: `${most === 0 ? 0 : ((cost?.usd ?? 0) / most) * 100}%` }}
                />
              </dd>
              <dd>{cost === null ? "no price" : formatKnownCost(cost)}</dd>
            </div>
          ))}
        </dl>
        <Button size="xs" variant="subtle" className={classes.costMore} onClick={() => setOpen(true)}>
          All costs
        </Button>
      </div>
      <MonthCosts
        month={monthOf(month)}
        title={`Costs in ${monthName.format(month)}`}
        opened={isOpen}
        onClose={() => setOpen(false)}
      />
    </Card>
  );
}
