import { IconCircleCheck, IconCircleDashed, IconCircleX, IconSearchOff } from "@tabler/icons-react";
import type { Verdict } from "#contract";
import classes from "./verdict-badge.module.css";

export interface VerdictLook {
  readonly word: string;
  /** Its colour, never shown without the word or the icon. */
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

const icons: Record<Verdict, typeof IconCircleCheck> = {
  contradicted: IconCircleX,
  not_found: IconSearchOff,
  supported: IconCircleCheck,
  not_checkable: IconCircleDashed,
};

export interface VerdictBadgeProps {
  readonly verdict: Verdict;
  /** Of the icon, in pixels; the word takes the size of the text around it. */
  readonly size?: number;
  /** Shows the icon alone, and leaves the word to screen readers. */
  readonly isIcon?: boolean;
}

/** A verdict: icon and word. */
export function VerdictBadge({ verdict, ...props }: VerdictBadgeProps) {
  return <ToneBadge {...looks[verdict]} icon={icons[verdict]} {...props} />;
}

export interface ToneBadgeProps extends VerdictLook, Omit<VerdictBadgeProps, "verdict"> {
  readonly icon: typeof IconCircleCheck;
}

/** An icon and a word in the colour of what they mean. */
export function ToneBadge({ word, tone, icon: Icon, size = 16, isIcon = false }: ToneBadgeProps) {
  return (
    <span className={classes.root} data-tone={tone}>
      <Icon
        size={size}
        stroke={1.8}
        className={classes.icon}
        {...(isIcon ? { role: "img", "aria-label": word } : { "aria-hidden": true })}
      />
      {isIcon ? null : <span className={classes.word}>{word}</span>}
    </span>
  );
}
