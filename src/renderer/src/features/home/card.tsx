import { type ReactNode, useId } from "react";
import { Boundary } from "../../components/index.ts";
import classes from "./home-page.module.css";

/** A part of Home under a title of its own. */
export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id} className={classes.cardTitle}>
        {title}
      </h2>
      <Boundary title="This part could not be shown">{children}</Boundary>
    </section>
  );
}
