import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./head-button.module.css";

export interface HeadButtonProps {
  readonly label: string;
  /** The part of the label that is shown where the whole would take the room of the page's title. */
  readonly word?: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly loading?: boolean;
  readonly disabled?: boolean;
}

/** A button of a page's head: it keeps only its icon where there is no room for its word. */
export function HeadButton({ label, word = label, icon, ...props }: HeadButtonProps) {
  return (
    <Button size="xs" className={classes.root} aria-label={label} title={label} {...props}>
      {icon}
      <span className={classes.word}>{word}</span>
    </Button>
  );
}
