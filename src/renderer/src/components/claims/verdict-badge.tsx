import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconHelpCircle } from "@tabler/icons-react";
import type { Verdict } from "#contract";
import classes from "./verdict-badge.module.css";

export interface VerdictLook {
  readonly word: string;
  /** Its colour, which never stands without the word or the icon. */
  readonly tone: "bad" | "missing" | "good" | "open";
}

const looks: Record<Verdict, VerdictLook> = {
  contradicted: { word: "Contradicted", tone: "bad" },
  not_found: { word: "Not in the document", tone: "missing" },
  supported: { word: "Supported", tone: "good" },
  not_checkable: { word: "Not checkable", tone: "open" },
};

/** The word for people, and the tone of a verdict. */
export function lookOfVerdict(verdict: Verdict): VerdictLook {
  return looks[verdict];
}

const icons: Record<VerdictLook["tone"], typeof IconCircleCheck> = {
  good: IconCircleCheck,
  bad: IconAlertTriangle,
  missing: IconHelpCircle,
  open: IconCircleDashed,
};

export interface VerdictBadgeProps {
  readonly verdict: Verdict;
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
