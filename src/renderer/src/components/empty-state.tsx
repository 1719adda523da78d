import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

export interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** Where the place has no other heading it is the first. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
  /** The first step, as buttons. */
  readonly actions?: ReactNode;
}

/** What stands where there is nothing yet: what would be here, and the first step to it. */
export function EmptyState({ icon, title, isPage = false, children, actions }: EmptyStateProps) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div className={classes.root}>
      {icon ? (
        <div className={classes.icon} aria-hidden>
          {icon}
        </div>
      ) : null}
      <Heading className={classes.title}>{title}</Heading>
      {children ? <div className={classes.text}>{children}</div> : null}
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  );
}
