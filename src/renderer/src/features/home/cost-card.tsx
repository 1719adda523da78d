import { Button } from "@mantine/core";
import { useState } from "react";
import { monthOf, sumKnownCosts } from "#contract";
import { CutName, formatCount, formatKnownCost, formatNumber } from "../../components/index.ts";
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
  return (
    <section className={`${classes.card} ${classes.costs}`} aria-label={`Costs in ${monthName.format(month)}`}>
      <div className={classes.cost}>
        <h2>{monthName.format(month)}</h2>
        <p>
          {total === null ? "No price known" : <strong>{formatKnownCost(total)}</strong>}{" "}
          <span className={classes.soft}>
            {formatCount(answers, "answer")}
            {unknown > 0 ? `, no price for ${formatNumber(unknown)}` : null}
            {reused > 0 ? `, and ${formatNumber(reused)} reused` : null}
          </span>
        </p>
      </div>
      <dl className={classes.costList}>
        {costs.map(({ id, name, cost }) => (
          <div key={id} className={classes.cost}>
            <dt>
              <CutName name={name} />
            </dt>
            <dd>{cost === null ? <span className={classes.soft}>no price</span> : formatKnownCost(cost)}</dd>
          </div>
        ))}
      </dl>
      <Button size="xs" variant="subtle" onClick={() => setOpen(true)}>
        All costs
      </Button>
      <MonthCosts
        month={monthOf(month)}
        title={`Costs in ${monthName.format(month)}`}
        opened={isOpen}
        onClose={() => setOpen(false)}
      />
    </section>
  );
}
