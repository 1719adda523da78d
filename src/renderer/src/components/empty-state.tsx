import { EmptyState as MantineEmptyState } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

export interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** Where the page has no other heading it is the first. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
  /** The first step, as buttons. */
  readonly actions?: ReactNode;
}

/** Shown where there is nothing yet: what would be here, and the first step to it. Its title is a heading. */
export function EmptyState({ icon, title, isPage = false, children, actions }: EmptyStateProps) {
  return (
    <MantineEmptyState classNames={classes}>
      {icon ? <MantineEmptyState.Indicator aria-hidden>{icon}</MantineEmptyState.Indicator> : null}
      <MantineEmptyState.Title order={isPage ? 1 : 2}>{title}</MantineEmptyState.Title>
      {children ? (
        <MantineEmptyState.Description renderRoot={(props) => <div {...props} />}>
          {children}
        </MantineEmptyState.Description>
      ) : null}
      {actions ? <MantineEmptyState.Actions>{actions}</MantineEmptyState.Actions> : null}
    </MantineEmptyState>
  );
}
