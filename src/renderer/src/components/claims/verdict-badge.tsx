import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from "@tabler/icons-react";
import classes from "./verdict-badge.module.css";
import { type AnyVerdict, lookOfVerdict, type VerdictLook } from "./verdict-look.ts";

const icons: Record<VerdictLook["tone"], typeof IconCircleCheck> = {
  good: IconCircleCheck,
  bad: IconAlertTriangle,
  open: IconCircleDashed,
};

export interface VerdictBadgeProps {
  readonly verdict: AnyVerdict;
  /** Of the icon, in pixels; the word takes the size of the text around it. */
  readonly size?: number;
  /** In place of the verdict's own word. */
  readonly word?: string;
}

/** A verdict: icon and word. */
export function VerdictBadge({ verdict, size = 16, word }: VerdictBadgeProps) {
  const look = lookOfVerdict(verdict);
  const Icon = icons[look.tone];
  return (
    <span className={classes.root} data-tone={look.tone}>
      <Icon size={size} stroke={1.8} className={classes.icon} aria-hidden />
      <span className={classes.word}>{word ?? look.word}</span>
    </span>
  );
}
