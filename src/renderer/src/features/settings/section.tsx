import { type ReactNode, useId } from "react";
import classes from "./settings-page.module.css";

interface SectionProps {
  readonly title: string;
  /** Across from the title: what sums it up, or adds to it. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the settings under its title. */
export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <header className={classes.sectionHead}>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
