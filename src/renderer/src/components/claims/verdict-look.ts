import type { LineVerdict, Verdict } from "#contract";

/** Of a claim, or of a whole response. */
export type AnyVerdict = Verdict | LineVerdict;

export interface VerdictLook {
  readonly word: string;
  /** Its colour, which never stands without the word or the icon. */
  readonly tone: "good" | "bad" | "open";
}

const looks: Record<AnyVerdict, VerdictLook> = {
  supported: { word: "Supported", tone: "good" },
  contradicted: { word: "Contradicted", tone: "bad" },
  hallucination: { word: "Hallucination", tone: "bad" },
  not_checkable: { word: "Not checkable", tone: "open" },
};

/** The word for people, and the tone of a verdict. */
export function lookOfVerdict(verdict: AnyVerdict): VerdictLook {
  return looks[verdict];
}
