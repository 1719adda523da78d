import { ActionIcon, Tooltip } from "@mantine/core";
import type { TablerIcon } from "@tabler/icons-react";
import classes from "./icon-action.module.css";

export interface IconActionProps {
  /** What it does: the tooltip's text. */
  readonly label: string;
  readonly icon: TablerIcon;
  readonly onClick: () => void;
  /** The label in full for screen readers, where the tooltip leaves out what is plain to see. */
  readonly name?: string;
  /** Has no effect now. It stays reachable, so that the focus is not lost at the end of a list. */
  readonly isOff?: boolean;
  readonly size?: number;
}

/** A button with an icon and its words in a tooltip. */
export function IconAction({ label, icon: Icon, onClick, name = label, isOff = false, size = 26 }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size}
        className={classes.action}
        aria-label={name}
        aria-disabled={isOff}
        {...(isOff ? { "data-disabled": true } : {})}
        onClick={() => !isOff && onClick()}
      >
        <Icon size={Math.round(size * 0.6)} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}
