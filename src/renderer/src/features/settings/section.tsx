import { type ReactNode, useId } from "react";
import classes from "./settings-page.module.css";

interface SectionProps {
  readonly title: string;
  /** Under which an address leads to it. */
  readonly id?: string;
  /** Across from the title: what sums it up, or adds to it. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the settings under its title. */
export function Section({ title, id, aside, children }: SectionProps) {
  const headId = useId();
  return (
    <section className={classes.section} id={id} aria-labelledby={headId}>
      <header className={classes.sectionHead}>
        <h2 id={headId}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
