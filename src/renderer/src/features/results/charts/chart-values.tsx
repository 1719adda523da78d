import type { ReactNode } from "react";
import { gradeSchema, lineStateSchema, verdictSchema } from "#contract";
import {
  formatLatency,
  formatNumber,
  GradeBadge,
  lookOfGrade,
  lookOfVerdict,
  VerdictBadge,
} from "../../../components/index.ts";
import { formatLineCost, wordsOfState } from "../table/result-columns.tsx";
import type { BarTone } from "./bar-chart.tsx";

/** How the values of a column are shown in charts. */
interface ValueLook {
  /** The order of values that are known beforehand. */
  readonly compare: (value: string, other: string) => number;
  readonly wordOf: (value: string) => string;
  readonly labelOf?: (value: string) => ReactNode;
  readonly toneOf?: (value: string) => BarTone;
  /** The value whose share is the figure of a group; the first that there is unless given. */
  readonly headline?: string;
  /** What is worth knowing of the shares. */
  readonly note?: string;
}

const plain: ValueLook = { compare: () => 0, wordOf: (value) => value };

const looks: Readonly<Record<string, ValueLook>> = {
  status: lookOfWords(lineStateSchema.options, (state) => ({ word: wordsOfState[state] })),
  verdict: lookOfWords(verdictSchema.options, (verdict) => ({
    ...lookOfVerdict(verdict),
    label: <VerdictBadge verdict={verdict} />,
  })),
  grade: {
    ...lookOfWords(gradeSchema.options, (grade) => ({ ...lookOfGrade(grade), label: <GradeBadge grade={grade} /> })),
    headline: "pass",
    note: "Lines without an answer count for nothing.",
  },
};

function lookOfWords<Value extends string>(
  values: readonly Value[],
  read: (value: Value) => { readonly word: string; readonly tone?: BarTone; readonly label?: ReactNode },
): ValueLook {
  const names: readonly string[] = values;
  const placeOf = (value: string) => names.indexOf(value);
  const find = (value: string) => {
    const known = values[placeOf(value)];
    return known === undefined ? undefined : read(known);
  };
  const wordOf = (value: string) => find(value)?.word ?? value;
  return {
    compare: (value, other) => placeOf(value) - placeOf(other),
    wordOf,
    labelOf: (value) => find(value)?.label ?? wordOf(value),
    toneOf: (value) => find(value)?.tone ?? "accent",
  };
}

export function lookOfColumn(path: string): ValueLook {
  return looks[path] ?? plain;
}

const figure = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** A number of a column, as its table shows it. */
export function formatterOf(path: string): (value: number) => string {
  if (path === "milliseconds") return formatLatency;
  if (path === "cost") return formatLineCost;
  return (value) => (Number.isInteger(value) ? formatNumber(value) : figure.format(value));
}
