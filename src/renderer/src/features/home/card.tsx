import { type ReactNode, useId } from "react";
import { Boundary, formatNumber } from "../../components/index.ts";
import classes from "./home-page.module.css";

interface CardProps {
  readonly title: string;
  /** How many things are in it. */
  readonly count?: number;
  /** What the columns are called that its rows share with the other lists. */
  readonly columns?: ReactNode;
  readonly children: ReactNode;
}

/** A part of Home under a title of its own. */
export function Card({ title, count, columns, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={columns === undefined ? classes.cardTitle : `${classes.cardTitle} ${classes.row}`}>
        <h2 id={id}>
          {title}
          {count === undefined ? null : <span className={classes.cardCount}> {formatNumber(count)}</span>}
        </h2>
        {columns}
      </div>
      <Boundary title="This part could not be shown">{children}</Boundary>
    </section>
  );
}
