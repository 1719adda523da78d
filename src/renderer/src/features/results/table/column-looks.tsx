import type { ReactNode } from "react";
import {
  answerEnds,
  answerEndTable,
  type ColumnsWith,
  describeVerdictCounts,
  gradeSchema,
  lineStateSchema,
  type ResultRow,
  verdictSchema,
} from "#contract";
import {
  AgreementBadge,
  CountsBadge,
  FormBadge,
  formatLatency,
  formatNumber,
  GradeBadge,
  leaveOutStart,
  lookOfAgreement,
  lookOfForm,
  lookOfGrade,
  lookOfVerdict,
  roundLatency,
  VerdictBadge,
} from "../../../components/index.ts";
import type { BarTone } from "../charts/bar-chart.tsx";
import { Answer, MarkedText, Text, wordsOfState } from "./result-cells.tsx";
import classes from "./result-columns.module.css";

/** What cells are drawn with. */
export interface CellOptions {
  /** What is searched: it is marked in the cells. */
  readonly find?: string | undefined;
  /** What all questions begin with: left out, so that their differences are in view. */
  readonly questionStart?: string;
}

/** How a column of the results looks, in the table, in filters and in charts. */
export interface ColumnLook {
  /** In CSS pixels; the least where it grows. */
  readonly width: number;
  /** Its share of the room that is left; without one it stays as it is. */
  readonly grow?: number;
  /** Where the table is narrower, it is left out of the usual columns. `judged`: the width of verdicts and grades. */
  readonly hideBelow?: (judged: number) => number;
  /** Whether it shows that a line failed or did not run. */
  readonly showsFailure?: true;
  /** As an icon where there is no room for words, under its whole header. */
  readonly icon?: { readonly width: number; readonly render: (row: ResultRow) => ReactNode };
  /** Its value in soft letters by default. */
  readonly render?: (row: ResultRow, options: CellOptions) => ReactNode;
  /** As a spreadsheet takes it: its value by default. */
  readonly text?: (row: ResultRow) => string;
  /** Of its numbers: with the usual digits by default. */
  readonly format?: (value: number) => string;
  /** Of words that are known beforehand. */
  readonly values?: ValueLook;
  /** How many different values there are where it gets a filter: 1 by default. */
  readonly filterFrom?: number;
}

/** How the values of a column are shown in charts. */
export interface ValueLook {
  /** All that there are; left out where they are not known beforehand. */
  readonly values?: readonly string[];
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
    values: names,
    compare: (value, other) => placeOf(value) - placeOf(other),
    wordOf,
    labelOf: (value) => find(value)?.label ?? wordOf(value),
    toneOf: (value) => find(value)?.tone ?? "accent",
  };
}

const verdictLook = lookOfWords(verdictSchema.options, (verdict) => ({
  ...lookOfVerdict(verdict),
  label: <VerdictBadge verdict={verdict} />,
}));
const gradeLook = lookOfWords(gradeSchema.options, (grade) => ({
  ...lookOfGrade(grade),
  label: <GradeBadge grade={grade} />,
}));

export type PageColumn = ColumnsWith<{ page: object }>;

export const columnLooks: Readonly<Record<PageColumn, ColumnLook>> = {
  line: { width: 80 },
  custom_id: {
    width: 120,
    hideBelow: (judged) => 560 + judged,
    render: ({ customId }) => <code className={classes.code}>{customId}</code>,
  },
  question: {
    width: 180,
    grow: 1,
    render: ({ question, state }, { find, questionStart = "" }) => (
      <Text state={state} title={question}>
        <MarkedText text={leaveOutStart(question, questionStart)} find={find} />
      </Text>
    ),
  },
  picture: { width: 150, text: ({ picture }) => picture ?? "" },
  answer: {
    width: 240,
    grow: 1.5,
    hideBelow: () => 400,
    showsFailure: true,
    render: (row, { find }) => <Answer row={row} find={find} />,
  },
  reasoning: {
    width: 200,
    grow: 0.5,
    render: ({ reasoning }, { find }) =>
      reasoning && (
        <Text title={reasoning}>
          <MarkedText text={reasoning} find={find} />
        </Text>
      ),
  },
  status: {
    width: 110,
    showsFailure: true,
    text: ({ state }) => wordsOfState[state],
    values: lookOfWords(lineStateSchema.options, (state) => ({ word: wordsOfState[state] })),
    filterFrom: 0,
  },
  /** What the words mean is the filter of `end`; by a word itself it is filtered with a condition. */
  finish: { width: 100, filterFrom: Number.POSITIVE_INFINITY },
  end: {
    width: 120,
    render: ({ end }) => end && <span className={classes.soft}>{answerEndTable[end].label}</span>,
    text: ({ end }) => (end === null ? "" : answerEndTable[end].label),
    values: lookOfWords(answerEnds, (end) => ({ word: answerEndTable[end].label })),
    filterFrom: 2,
  },
  error: { width: 150, showsFailure: true },
  verdict: {
    width: 200,
    grow: 0.8,
    hideBelow: (judged) => 400 + judged,
    render: (row) => row.verdict && <CountsBadge {...row} verdict={row.verdict} size={15} />,
    icon: { width: 68, render: (row) => row.verdict && <CountsBadge {...row} verdict={row.verdict} isIcon /> },
    text: ({ claims, verdict }) => (claims && describeVerdictCounts(claims)) || (verdict ?? ""),
    values: verdictLook,
  },
  form: {
    width: 130,
    hideBelow: () => 800,
    render: ({ form }) => form && <FormBadge form={form} size={15} />,
    values: lookOfWords(["broken", "kept"] as const, (form) => ({
      ...lookOfForm(form),
      label: <FormBadge form={form} />,
    })),
    filterFrom: 1,
  },
  agreement: {
    width: 150,
    hideBelow: () => 800,
    render: ({ agreement }) => agreement && <AgreementBadge agreement={agreement} size={15} />,
    values: lookOfWords(["disagree", "agree"] as const, (agreement) => ({
      ...lookOfAgreement(agreement),
      label: <AgreementBadge agreement={agreement} />,
    })),
    filterFrom: 1,
  },
  grade: {
    width: 126,
    hideBelow: (judged) => 400 + judged,
    render: ({ grade }) => grade && <GradeBadge grade={grade} size={15} />,
    icon: { width: 60, render: ({ grade }) => grade && <GradeBadge grade={grade} isIcon /> },
    values: { ...gradeLook, headline: "pass", note: "Lines without an answer count for nothing." },
  },
  prompt_tokens: { width: 110 },
  completion_tokens: { width: 84, hideBelow: (judged) => 620 + judged },
  milliseconds: {
    width: 84,
    hideBelow: (judged) => 540 + judged,
    format: formatLatency,
    text: ({ milliseconds }) => (milliseconds === null ? "" : String(roundLatency(milliseconds))),
  },
  cost: {
    width: 96,
    format: formatLineCost,
    render: ({ cost, reused }) =>
      cost === null ? null : (
        <span className={classes.soft} title={reused ? "Its answer was reused, and cost nothing." : undefined}>
          {reused ? "Reused" : formatLineCost(cost)}
        </span>
      ),
  },
};

function findLook(path: string): ColumnLook | undefined {
  return Object.hasOwn(columnLooks, path) ? columnLooks[path as PageColumn] : undefined;
}

const plain: ValueLook = { compare: () => 0, wordOf: (value) => value };

/** How the values of a column are shown; as they are where it is none of these, as a field of the answers. */
export function lookOfColumn(path: string): ValueLook {
  return findLook(path)?.values ?? plain;
}

/** How many different values a column has where it gets a filter. */
export function filterFromOf(path: string): number {
  return findLook(path)?.filterFrom ?? 1;
}

const figure = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** A number of a column, as its table shows it. */
export function formatterOf(path: string): (value: number) => string {
  return findLook(path)?.format ?? ((value) => (Number.isInteger(value) ? formatNumber(value) : figure.format(value)));
}

const threeDigits = new Intl.NumberFormat("en", { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });

/** A line costs a part of a cent, mostly; never in powers of ten. */
function formatLineCost(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd >= 1 ? usd.toFixed(2) : threeDigits.format(usd)}`;
}
