import { IconCheck, IconMinus, IconQuestionMark, IconX } from "@tabler/icons-react";
import type { Grade } from "#contract";
import { ToneBadge, type VerdictLook } from "./claims/verdict-badge.tsx";

const looks: Record<Grade, VerdictLook & { readonly icon: typeof IconCheck }> = {
  pass: { word: "Pass", tone: "good", icon: IconCheck },
  fail: { word: "Fail", tone: "bad", icon: IconX },
  no_answer: { word: "No answer", tone: "open", icon: IconMinus },
  no_expected: { word: "No expected answer", tone: "open", icon: IconQuestionMark },
};

/** The word for people, and the tone of a grade. */
export function lookOfGrade(grade: Grade): VerdictLook {
  return looks[grade];
}

export interface GradeBadgeProps {
  readonly grade: Grade;
  readonly size?: number;
  /** Shows the icon alone, and leaves the word to screen readers. */
  readonly isIcon?: boolean;
}

/** A grade: icon and word. */
export function GradeBadge({ grade, ...props }: GradeBadgeProps) {
  return <ToneBadge {...looks[grade]} {...props} />;
}
