import { Switch } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./panel.module.css";

interface PanelProps {
  readonly title: string;
  /** Next to the title: its state. */
  readonly state: string;
  readonly isOn: boolean;
  /** Where being on is not enough for it to answer. */
  readonly isReachable?: boolean;
  readonly isSwitching: boolean;
  readonly onSwitch: (on: boolean) => void;
  readonly children: ReactNode;
}

/** Something that can be turned on and off, and all about it. */
export function Panel({ title, state, isOn, isReachable = isOn, isSwitching, onSwitch, children }: PanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 className={classes.title} id={id}>
          {title}
        </h2>
        <span className={classes.state} data-on={isReachable || undefined} role="status">
          {state}
        </span>
        <Switch
          size="md"
          aria-label={title}
          checked={isOn}
          disabled={isSwitching}
          onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
        />
      </header>
      {children}
    </section>
  );
}

interface RowProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Buttons at the end of the row. */
  readonly actions?: ReactNode;
}

/** A line of a panel: a name, what it is, and what can be done with it. */
export function Row({ label, children, actions }: RowProps) {
  return (
    <div className={classes.row}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{children}</dd>
      {actions ? <dd className={classes.actions}>{actions}</dd> : null}
    </div>
  );
}
