import { IconAlertTriangle, IconBracesOff, IconCut, IconPlayerSkipForward } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { answerPrefix, type LineState, type ResultRow, sourcePrefix } from "#contract";
import {
  formatLatency,
  formatNumber,
  GradeBadge,
  leaveOutStart,
  type TableColumn,
  VerdictBadge,
} from "../../../components/index.ts";
import classes from "./result-columns.module.css";
import { orderColumns, type ResultLayout } from "./result-layout.ts";

/** A column that the table can have. */
export interface ResultColumn {
  /** As filters and sorts name it. */
  readonly id: string;
  readonly header: string;
  /** What is to be known of its values. */
  readonly hint?: string;
  /** In CSS pixels; the least where it grows. */
  readonly width: number;
  /** Its share of the room that is left; 0 for a column that stays as it is. */
  readonly grow: number;
  readonly align?: "end";
  readonly isSortable: boolean;
  /** Whether it shows that a line failed or did not run. */
  readonly showsFailure?: boolean;
  /** Where the table is narrower, it is left out of the usual columns. */
  readonly hideBelow?: number;
  /** As an icon where there is no room for words, under its whole header. */
  readonly icon?: { readonly width: number; readonly render: (row: ResultRow) => ReactNode };
  readonly render: (row: ResultRow) => ReactNode;
  /** As a spreadsheet takes it. */
  readonly text: (row: ResultRow) => string;
}

export interface ResultColumnsOptions {
  readonly isVerified: boolean;
  readonly isGraded: boolean;
  /** Whether prices of its answers are known. */
  readonly hasCost: boolean;
  /** Whether the time of an answer may be known; batch services don't report it. */
  readonly hasTimes?: boolean;
  /** Paths into answers that are JSON: `answer.score`. */
  readonly paths: readonly string[];
  /** Those of them that have nothing but numbers. */
  readonly numeric?: ReadonlySet<string>;
  /** What is searched: it is marked in the cells. */
  readonly find?: string | undefined;
  /** Columns of the table that the batch was built from. */
  readonly sources: readonly string[];
  /** What all questions begin with: left out, so that their differences are in view. */
  readonly questionStart?: string;
}

export const wordsOfState: Readonly<Record<LineState, string>> = {
  waiting: "Waiting",
  answered: "Answered",
  failed: "Failed",
  skipped: "Did not run",
  damaged: "Damaged on disk",
};

/** Every column that the results of a batch can be shown in. */
export function listResultColumns(options: ResultColumnsOptions): readonly ResultColumn[] {
  const { isVerified, isGraded, hasCost, hasTimes = true, paths, sources, questionStart = "" } = options;
  const { numeric = noPaths, find } = options;
  const headers = new Set(["custom_id", "Question", "Answer", ...paths.map((path) => path.slice(answerPrefix.length))]);
  const taken = (isVerified ? 180 : 0) + (isGraded ? 112 : 0);
  return [
    figure("line", "Line", 80, ({ line }) => line, formatNumber),
    text("custom_id", "custom_id", 150, ({ customId }) => <code className={classes.code}>{customId}</code>, {
      text: ({ customId }) => customId,
    }),
    text(
      "question",
      "Question",
      180,
      ({ question, state }) => (
        <Text state={state} title={question}>
          <MarkedText text={leaveOutStart(question, questionStart)} find={find} />
        </Text>
      ),
      { grow: 1, text: ({ question }) => question },
    ),
    {
      ...text("answer", "Answer", 240, (row) => <Answer row={row} find={find} />, {
        grow: 1.5,
        hideBelow: 400,
        text: ({ answer }) => answer,
      }),
      showsFailure: true,
    },
    ...sources.map((source) => {
      const id = `${sourcePrefix}${source}`;
      const header = headers.has(source) ? `${source} (table)` : source;
      const render = ({ values }: ResultRow) => (
        <Text>
          <MarkedText text={writeValue(values[id])} find={find} />
        </Text>
      );
      return text(id, header, 140, render, { grow: 0.5, text: ({ values }) => writeValue(values[id]) });
    }),
    ...paths.map((path, place): ResultColumn => {
      const header = path.slice(answerPrefix.length);
      const isFirst = place === 0;
      const render = (row: ResultRow) =>
        // What has no fields is shown as it is, once.
        isFirst && !hasFields(row) ? (
          <Answer row={row} find={find} lacksFields />
        ) : (
          <Text title={writeValue(row.values[path])}>
            <MarkedText text={readableValue(row.values[path])} find={find} />
          </Text>
        );
      const column = text(path, header, 120, render, { grow: 0.5, text: ({ values }) => writeValue(values[path]) });
      return { ...column, showsFailure: isFirst, ...(numeric.has(path) && { align: "end" }) };
    }),
    { ...word("status", "Status", 110, ({ state }) => wordsOfState[state]), showsFailure: true },
    word("finish", "Finish", 100, ({ finishReason }) => finishReason),
    { ...word("error", "Error", 150, ({ errorCode }) => errorCode), showsFailure: true },
    ...(isVerified ? [verdictColumn(400 + taken)] : []),
    ...(isGraded ? [gradeColumn(400 + taken)] : []),
    figure("prompt_tokens", "Prompt tokens", 110, ({ promptTokens }) => promptTokens, formatNumber),
    {
      ...figure("completion_tokens", "Tokens", 84, (row) => row.completionTokens, formatNumber),
      hideBelow: 620 + taken,
    },
    ...(hasTimes
      ? [
          {
            ...figure("milliseconds", "Time", 84, ({ milliseconds }) => milliseconds, formatLatency),
            hideBelow: 540 + taken,
          },
        ]
      : []),
    ...(hasCost ? [costColumn] : []),
  ];
}

/** The columns that a layout shows, of those that there are; pinned ones first. */
export function chooseColumns(
  all: readonly ResultColumn[],
  layout: ResultLayout,
  fields: readonly string[],
): readonly ResultColumn[] {
  return orderColumns(layout, fields).flatMap((id) => all.find((column) => column.id === id) ?? []);
}

/** Of the usual columns that grow, in CSS pixels: their headers can be read. */
const leastUsual = 92;

/** Fields that share what room there is; of more, each has its width. */
const mostSideBySide = 4;

/** The columns as the table draws them. */
export function layOutColumns(
  columns: readonly ResultColumn[],
  { shown, widths, pinned }: ResultLayout,
): readonly TableColumn<ResultRow>[] {
  const isFailureShown = columns.some(({ showsFailure }) => showsFailure);
  const fields = columns.filter(({ id }) => id.startsWith(answerPrefix)).length;
  // The usual columns share what room there is; chosen ones have at least their width, and the table scrolls sideways.
  const isShared = shown === null && fields <= mostSideBySide && Object.keys(widths).length === 0;
  return columns.map(({ id, header, hint, width, grow, align, isSortable, hideBelow, icon, render }, place) => {
    const isPinned = pinned.includes(id);
    const own = widths[id] ?? (isPinned ? width : undefined);
    const least = isShared ? leastUsual : width;
    return {
      id,
      header,
      ...(hint !== undefined && { hint }),
      track: own === undefined && grow > 0 ? `minmax(${least}px, ${grow}fr)` : `${own ?? width}px`,
      width: own ?? width,
      pinned: isPinned,
      ...(align && { align }),
      sortable: isSortable,
      render: place === 0 && !isFailureShown ? markFailure(render) : render,
      ...(shown === null && hideBelow !== undefined && icon === undefined && { hideBelow }),
      ...(shown === null &&
        hideBelow !== undefined &&
        icon !== undefined && {
          narrow: { below: hideBelow, track: `${icon.width}px`, isTight: true, render: icon.render },
        }),
    };
  });
}

/** A cell that shows that its line failed or did not run, where no other cell does. */
function markFailure(render: ResultColumn["render"]): ResultColumn["render"] {
  return (row) => {
    if (row.state === "answered" || row.state === "waiting") return render(row);
    const isSkipped = row.state === "skipped";
    const Icon = isSkipped ? IconPlayerSkipForward : IconAlertTriangle;
    return (
      <span className={isSkipped ? classes.skipped : classes.failed} title={row.answer}>
        <Icon size={14} className={classes.icon} aria-label={`${wordsOfState[row.state]}:`} />
        {render(row)}
      </span>
    );
  };
}

/** Whether the answer is JSON with something in it. */
function hasFields({ values }: ResultRow): boolean {
  return Object.keys(values).some((path) => path.startsWith(answerPrefix));
}

/** A value of an answer for reading: with as many digits as tell numbers apart at a glance. Copies and exports have all. */
function readableValue(value: ResultRow["values"][string] | undefined): string {
  return typeof value === "number" && !Number.isInteger(value) ? sixDigits.format(value) : writeValue(value);
}

const sixDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 6, useGrouping: false });

const noPaths: ReadonlySet<string> = new Set();

/** A text with what is searched marked, in any case. */
function MarkedText({ text, find }: { readonly text: string; readonly find: string | undefined }) {
  const from = find ? text.toLowerCase().indexOf(find.toLowerCase()) : -1;
  if (find === undefined || from === -1) return text;
  const to = from + find.length;
  return (
    <>
      {text.slice(0, from)}
      <mark className={classes.hit}>{text.slice(from, to)}</mark>
      <MarkedText text={text.slice(to)} find={find} />
    </>
  );
}

/** A value of an answer, as text. */
function writeValue(value: ResultRow["values"][string] | undefined): string {
  return value === undefined ? "" : String(value);
}

interface TextOptions extends Pick<ResultColumn, "text"> {
  readonly grow?: number;
  readonly hideBelow?: number;
}

function text(
  id: string,
  header: string,
  width: number,
  render: ResultColumn["render"],
  { grow = 0, hideBelow, text }: TextOptions,
): ResultColumn {
  return { id, header, width, grow, isSortable: true, ...(hideBelow !== undefined && { hideBelow }), render, text };
}

function word(id: string, header: string, width: number, read: (row: ResultRow) => string | null): ResultColumn {
  const render = (row: ResultRow) => <span className={classes.soft}>{read(row)}</span>;
  return { id, header, width, grow: 0, isSortable: true, render, text: (row) => read(row) ?? "" };
}

function figure(
  id: string,
  header: string,
  width: number,
  read: (row: ResultRow) => number | null,
  format: (value: number) => string,
): ResultColumn {
  const render = (row: ResultRow) => {
    const value = read(row);
    return value === null ? null : <span className={classes.soft}>{format(value)}</span>;
  };
  const write = (row: ResultRow) => String(read(row) ?? "");
  return { id, header, width, grow: 0, align: "end", isSortable: true, render, text: write };
}

const costHint = "The price of each answer’s tokens; nothing for an answer that was reused.";

const costColumn: ResultColumn = {
  ...figure("cost", "Cost", 96, ({ cost }) => cost, formatLineCost),
  hint: costHint,
  render: ({ cost, reused }) =>
    cost === null ? null : (
      <span className={classes.soft} title={reused ? "Its answer was reused, and cost nothing." : undefined}>
        {reused ? "Reused" : formatLineCost(cost)}
      </span>
    ),
};

const threeDigits = new Intl.NumberFormat("en", { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });

/** A line costs a part of a cent, mostly; never in powers of ten. */
export function formatLineCost(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd >= 1 ? usd.toFixed(2) : threeDigits.format(usd)}`;
}

function verdictColumn(narrowBelow: number): ResultColumn {
  return {
    id: "verdict",
    header: "Verdict",
    width: 180,
    grow: 0,
    isSortable: true,
    hideBelow: narrowBelow,
    render: ({ verdict }) => (verdict === null ? null : <VerdictBadge verdict={verdict} size={15} />),
    icon: {
      width: 68,
      render: ({ verdict }) => (verdict === null ? null : <VerdictBadge verdict={verdict} isIcon />),
    },
    text: ({ verdict }) => verdict ?? "",
  };
}

function gradeColumn(narrowBelow: number): ResultColumn {
  return {
    id: "grade",
    header: "Grade",
    width: 112,
    grow: 0,
    isSortable: true,
    hideBelow: narrowBelow,
    render: ({ grade }) => (grade === null ? null : <GradeBadge grade={grade} size={15} />),
    icon: {
      width: 60,
      render: ({ grade }) => (grade === null ? null : <GradeBadge grade={grade} isIcon />),
    },
    text: ({ grade }) => grade ?? "",
  };
}

interface TextProps {
  readonly state?: LineState;
  readonly title?: string;
  readonly children: ReactNode;
}

function Text({ state, title, children }: TextProps) {
  return (
    <span className={classes.text} data-state={state} dir="auto" title={title}>
      {children}
    </span>
  );
}

interface AnswerProps {
  readonly row: ResultRow;
  readonly find: string | undefined;
  /** It is under the name of a field, and has none. */
  readonly lacksFields?: boolean;
}

function Answer({ row, find, lacksFields = false }: AnswerProps) {
  const text = <MarkedText text={row.answer} find={find} />;
  switch (row.state) {
    case "waiting":
      return <span className={classes.waiting}>Waiting</span>;
    case "skipped":
      return (
        <span className={classes.skipped}>
          <IconPlayerSkipForward size={14} className={classes.icon} aria-hidden />
          <span className={classes.text}>Did not run</span>
        </span>
      );
    case "failed":
    case "damaged":
      return (
        <span className={classes.failed} title={row.answer}>
          <IconAlertTriangle size={14} className={classes.icon} aria-label={`${wordsOfState[row.state]}:`} />
          <Text>{text}</Text>
        </span>
      );
    case "answered":
      return (
        <span className={classes.answer}>
          {lacksFields ? (
            <span className={classes.noFields} title="The answer has no fields, and is shown as it is.">
              <IconBracesOff size={14} className={classes.icon} aria-label="No fields:" />
            </span>
          ) : null}
          <Text>{text}</Text>
          {row.finishReason === "length" ? (
            <span className={classes.cutOff} title="The answer was cut at the most tokens allowed (finish: length).">
              <IconCut size={13} className={classes.icon} aria-hidden />
              Cut off
            </span>
          ) : null}
        </span>
      );
  }
}
