import type { BatchQuality } from "#contract";
import {
  formatCount,
  formatNumber,
  formatPart,
  lookOfVerdict,
  MockMark,
  VerdictBadge,
} from "../../../components/index.ts";
import classes from "./batch-columns.module.css";

/** Answers that something speaks against, the graver first. */
const doubtful = ["contradicted", "not_found"] as const;

/** How good the answers of a batch are: how many passed, else what their verification found. */
export function Quality({ quality, isMock }: { readonly quality: BatchQuality; readonly isMock: boolean }) {
  const { accuracy, verdicts, rulesAlone } = quality;
  if (accuracy !== null) {
    return (
      <span className={classes.soft} title={describePassed(accuracy)}>
        {isMock ? <MockMark /> : null}
        {formatPart(accuracy.share)}
      </span>
    );
  }
  return verdicts === null ? null : <Verdicts verdicts={verdicts} rulesAlone={rulesAlone} />;
}

/** How many of the answers with a grade passed. */
export function describePassed({ passed, graded }: NonNullable<BatchQuality["accuracy"]>): string {
  return `${formatNumber(passed)} of ${formatCount(graded, "answer")} passed`;
}

export interface VerdictsProps {
  readonly verdicts: NonNullable<BatchQuality["verdicts"]>;
  readonly rulesAlone: number;
}

/** What speaks against answers, counted; where nothing does, how many are supported. */
export function Verdicts({ verdicts, rulesAlone }: VerdictsProps) {
  const words = Object.entries(verdicts).map(
    ([verdict, count]) => `${lookOfVerdict(verdict as keyof typeof verdicts).word}: ${formatNumber(count)}`,
  );
  if (rulesAlone > 0) words.push(`Judged by rules alone: ${formatNumber(rulesAlone)}`);
  const found = doubtful.filter((verdict) => verdicts[verdict] > 0);
  const shown = found.length > 0 ? found : verdicts.supported > 0 ? (["supported"] as const) : [];
  return (
    <span className={classes.verdicts} title={words.join("\n")}>
      {shown.map((verdict) => (
        <span key={verdict} className={classes.verdict}>
          <VerdictBadge verdict={verdict} size={14} isIcon />
          {formatNumber(verdicts[verdict])}
        </span>
      ))}
      {shown.length === 0 ? <span className={classes.soft}>Not checkable</span> : null}
    </span>
  );
}

/** From 0 to 1, to sort by: the accuracy, else the part of the answers that nothing speaks against. */
export function shareOfQuality({ accuracy, verdicts }: BatchQuality): number | null {
  if (accuracy !== null) return accuracy.share;
  if (verdicts === null) return null;
  const all = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  return all === 0 ? null : 1 - (verdicts.contradicted + verdicts.not_found) / all;
}
