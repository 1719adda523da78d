import {
  answerPrefix,
  findAnswerFields,
  findMisfit,
  isJsonNumber,
  isSameNumber,
  listDefaultColumns,
  pictureColumn,
  sourcePrefix,
  type TrialRow,
} from "#contract";
import { findSharedStart, leaveOutStart } from "../../../components/index.ts";
import type { VersionInput } from "../draft/draft-session.ts";
import { measureColumn } from "../source/source-rows.ts";
import { answersByRow, isOutdated, type TrialAnswer, type TrialState, type VersionTrial } from "./trial-store.ts";

/** The trial that is shown. */
export interface ShownTrial {
  /** The name of the version that was asked. */
  readonly name: string;
  /** It is that of the version that is looked at. */
  readonly isSelected: boolean;
  /** The prompt has changed since. */
  readonly isOutdated: boolean;
  readonly trial: VersionTrial;
  readonly others: readonly OtherAnswers[];
}

/** Answers to the same rows: of another version, or of the trial before. */
export interface OtherAnswers {
  readonly name: string;
  readonly isOutdated: boolean;
  /** In US dollars; null where it is not known, or nothing is paid. */
  readonly cost: number | null;
  readonly answers: ReadonlyMap<number, TrialAnswer>;
}

/** The last trial of the version that is looked at, else the last of all; null where there is none of this source. */
export function findShownTrial(
  { trials, latest }: Pick<TrialState, "trials" | "latest">,
  versions: readonly VersionInput[],
  selected: string,
): ShownTrial | null {
  const tried = versions.flatMap(({ key, name, input }) => {
    const trial = trials.get(key);
    if (trial === undefined || trial.input.sourceId !== input.sourceId) return [];
    return [{ key, name, trial, isOutdated: isOutdated(trial, input.template) }];
  });
  const shown = tried.find(({ key }) => key === selected) ?? tried.find(({ key }) => key === latest) ?? tried[0];
  if (shown === undefined) return null;
  const { key, trial } = shown;
  const others = tried
    .filter((other) => other.key !== key)
    .map(({ name, isOutdated, trial: { rows } }) => ({
      name,
      isOutdated,
      cost: sumCosts(rows),
      answers: answersByRow(rows),
    }));
  const hasChanged = [...answersByRow(trial.rows)].some(
    ([row, { answer }]) => (trial.before.get(row)?.answer ?? answer) !== answer,
  );
  return {
    name: shown.name,
    isSelected: versions.length === 1 || key === selected,
    isOutdated: shown.isOutdated,
    trial,
    others: hasChanged ? [{ name: "before", isOutdated: false, cost: null, answers: trial.before }, ...others] : others,
  };
}

/** What the answers of a trial cost together, in US dollars; null where none is known to have cost something. */
export function sumCosts(rows: readonly TrialRow[]): number | null {
  const costs = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

/** Rows with the expected value, of those that have an answer and an expected value. */
export interface TrialScore {
  readonly right: number;
  readonly graded: number;
}

/** A column of what was asked. */
export interface PromptColumn {
  /** `source.<column>`, `question` or `picture`. */
  readonly path: string;
  readonly header: string;
  /** Whether its pictures are sent. */
  readonly isPicture: boolean;
}

/** A trial, row by row as it is shown. */
export interface TrialTable {
  /** The columns that the prompt uses; the question where they are unknown. */
  readonly prompts: readonly PromptColumn[];
  /** The fields of the answers that are columns; none where the answers are shown as text. */
  readonly fields: readonly string[];
  /** Those of them that have nothing but numbers. */
  readonly numeric: ReadonlySet<string | null>;
  /** The field that expected values and other answers are compared with; null for the whole answer. */
  readonly compared: string | null;
  readonly hasExpected: boolean;
  /** Of the trial itself; null where no field has the expected values. */
  readonly score: TrialScore | null;
  /** The answers that are shown beside: of other versions, and of the trial before. */
  readonly others: readonly (Omit<OtherAnswers, "answers"> & Pick<TrialTable, "score">)[];
  readonly rows: readonly TrialTableRow[];
}

export interface TrialTableRow {
  readonly trial: TrialRow;
  /** Of the batch of the trial. */
  readonly line: number;
  /** The Row ID that was chosen; else the number of the row. */
  readonly id: string;
  /** Of the columns of what was asked; a question without what all questions begin with. */
  readonly prompts: readonly string[];
  /** The values of the fields; the answer itself, alone, where it has none of them. */
  readonly values: readonly TrialCell[];
  /** Of each of the others; null where it has no answer to this row. */
  readonly others: readonly ((TrialCell & { readonly answer: string }) | null)[];
}

export interface TrialCell {
  readonly text: string;
  /** The answer lacks the field, and is shown whole. */
  readonly isWhole: boolean;
  /** It is not the expected value; without expected values, that of the other version is another one. */
  readonly isDifferent: boolean;
  /** Whether it is the expected value; null where there is none to compare it with. */
  readonly isRight: boolean | null;
  /** Why the value breaks the schema that was asked for; null where it fits. */
  readonly misfit: string | null;
}

/** The trial of a version beside other answers to the same rows. Those without any are left out. */
export function toTrialTable(
  { rows, source, input }: Pick<VersionTrial, "rows" | "source" | "input">,
  otherAnswers: readonly OtherAnswers[],
): TrialTable {
  const others = otherAnswers.filter(({ answers }) => rows.some(({ row }) => answers.has(row)));
  const { answerFormat } = input.template;
  const schema = answerFormat?.type === "json_schema" ? answerFormat.schema : null;
  const answers = answersByRow(rows);
  const fields = findAnswerFields(
    schema,
    [...answers.values()].map((answer) => answer.fields),
  );
  const columns = fields.length === 0 ? [null] : fields;
  const matched = findExpectedField(rows, columns);
  const compared =
    matched === undefined
      ? findShortest([...answers.values(), ...others.flatMap((other) => [...other.answers.values()])], fields)
      : matched;
  const paths = listDefaultColumns(source, fields);
  const expectedPath = source.expected === null ? null : `${sourcePrefix}${source.expected}`;
  const prompts = paths
    .filter((path) => path === "question" || path === pictureColumn || (isOfSource(path) && path !== expectedPath))
    .map((path) => ({
      path,
      header: isOfSource(path) ? path.slice(sourcePrefix.length) : path,
      isPicture: source.pictures?.includes(path) ?? false,
    }));
  const start = findSharedStart(rows.map(({ question }) => question));
  const hasNumbers = (field: string) => {
    const texts = [...answers.values()].map((answer) => readValue(answer, field)).filter((text) => text !== "");
    return texts.length > 0 && texts.every((text) => isJsonNumber(text));
  };
  const table = rows.map(toTableRow);
  return {
    prompts,
    fields,
    numeric: new Set(fields.filter(hasNumbers)),
    compared,
    hasExpected: source.expected !== null,
    score: matched === undefined ? null : countRight(table.flatMap(({ values }) => values)),
    others: others.map(({ answers, ...other }, at) => ({
      ...other,
      score: matched === undefined ? null : countRight(table.flatMap((row) => row.others[at] ?? [])),
    })),
    rows: table,
  };

  function toTableRow(trial: TrialRow, at: number): TrialTableRow {
    const value = readValue(trial, compared);
    // Free texts differ in nearly every answer, so that a mark on them would mean nothing.
    const wanted = matched !== undefined ? (trial.expected ?? "") : compared === null ? null : value;
    const isDifferent = (text: string) => wanted !== null && !isSame(text, wanted);
    const isGraded = matched !== undefined && (trial.expected ?? "").trim() !== "";
    const isRight = (text: string) => (isGraded ? !isDifferent(text) : null);
    return {
      trial,
      line: at + 1,
      id: paths.includes("custom_id") && trial.customId !== "" ? trial.customId : String(trial.row),
      prompts: prompts.map(({ path }) =>
        path === "question" ? leaveOutStart(trial.question, start) : readSent(trial, path),
      ),
      values: hasNoField(trial, fields)
        ? [{ text: trial.answer, isWhole: true, isDifferent: isDifferent(""), isRight: isRight(""), misfit: null }]
        : columns.map((field) => {
            const text = readValue(trial, field);
            const isAnswer = trial.state === "answered" && field === compared;
            const misfit = field === null ? null : (findMisfit(trial.misfits, `${answerPrefix}${field}`)?.why ?? null);
            return {
              text,
              isWhole: false,
              isDifferent: isAnswer && isDifferent(text),
              isRight: isAnswer ? isRight(text) : null,
              misfit,
            };
          }),
      others: others.map(({ answers }) => {
        const answer = answers.get(trial.row);
        if (answer === undefined) return null;
        const text = readValue(answer, compared);
        const isWhole = compared !== null && !hasField(answer, compared);
        return {
          answer: answer.answer,
          text: isWhole ? answer.answer : text,
          isWhole,
          isDifferent: isDifferent(text),
          isRight: isRight(text),
          misfit: null,
        };
      }),
    };
  }
}

function isOfSource(path: string): boolean {
  return path.startsWith(sourcePrefix);
}

/** What a row sends of a column: a cell, or the names of its pictures, one a line. */
export function readSent({ cells, picture = "" }: TrialRow, path: string): string {
  return path === pictureColumn ? picture : (cells[path.slice(sourcePrefix.length)] ?? "");
}

function countRight(cells: readonly TrialCell[]): TrialScore {
  const graded = cells.filter(({ isRight }) => isRight !== null);
  return { right: graded.filter(({ isRight }) => isRight).length, graded: graded.length };
}

/** The text of a field of an answer, or of the whole answer; empty where it has none. */
function readValue(answer: TrialAnswer, field: string | null): string {
  if (field === null) return answer.answer;
  return hasField(answer, field) ? (answer.fields?.[field] ?? "") : "";
}

function hasField({ fields }: TrialAnswer, field: string): boolean {
  return fields !== null && Object.hasOwn(fields, field);
}

/** Whether an answer has none of the fields that are columns: it is text, or other JSON. */
function hasNoField(trial: TrialRow, fields: readonly string[]): boolean {
  return trial.state === "answered" && fields.length > 0 && !fields.some((field) => hasField(trial, field));
}

/** Whether values are the same, as texts or as numbers. */
function isSame(text: string, wanted: string): boolean {
  const [one, other] = [text.trim(), wanted.trim()];
  return one === other || (isJsonNumber(one) && isJsonNumber(other) && isSameNumber(one, other));
}

/** The field that has the expected value in at least half of the answered rows, the most often first; undefined for none. */
function findExpectedField(rows: readonly TrialRow[], fields: readonly (string | null)[]): string | null | undefined {
  const answered = rows.filter(({ state, expected }) => state === "answered" && expected !== null);
  const counts = fields.map((field) => ({
    field,
    same: answered.filter((trial) => isSame(readValue(trial, field), trial.expected ?? "")).length,
  }));
  const best = counts.reduce((first, next) => (next.same > first.same ? next : first), { field: null, same: 0 });
  return best.same > 0 && best.same * 2 >= answered.length ? best.field : undefined;
}

/** The field with the shortest values: it is a label sooner than a text. Null without fields. */
function findShortest(answers: readonly TrialAnswer[], fields: readonly string[]): string | null {
  const lengthOf = (field: string) => answers.reduce((sum, answer) => sum + readValue(answer, field).length, 0);
  const [shortest = null] = fields.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  return shortest;
}

/** An id takes no more room than this, in characters. */
const longestId = 14;
/** A text that wraps takes at least this, in CSS pixels. */
const leastText = 150;
const textSize = { character: 7.8, padding: 12 };

/** As wide as the values ask for; where that is more than there is, the table scrolls sideways. */
export function measureTracks({ prompts, fields, hasExpected, others, rows }: TrialTable): {
  tracks: string;
  minWidth: number;
} {
  const isText = fields.length === 0;
  // The sign takes as much room as these characters.
  const signed = ({ text, isDifferent, isWhole }: TrialCell) => (isDifferent || isWhole ? `≠  ${text}` : text);
  const ownValueOf = ({ values }: TrialTableRow, at: number) => {
    const value = values[0]?.isWhole ? undefined : values[at];
    return value && signed(value);
  };
  const otherValueOf = (row: TrialTableRow, at: number) => {
    const other = row.others[at];
    return other ? signed(other) : undefined;
  };
  const measure = (head: string, textOf: (row: TrialTableRow) => string | undefined, wraps = false) => {
    const { least, weight } = measureColumn(
      head,
      rows.map((row) => textOf(row) ?? ""),
      textSize,
    );
    return { least: wraps ? leastText : least, weight };
  };
  const measureText = (head: string, textOf: (row: TrialTableRow) => string | undefined) => {
    const { least, weight } = measure(head, textOf);
    return { least: Math.min(least, leastText), weight };
  };
  const widths = [
    measure("id", ({ id }) => id.slice(0, longestId)),
    ...prompts.map(({ header, isPicture }, at) =>
      isPicture ? { least: leastText, weight: leastText } : measureText(header, (row) => row.prompts[at]),
    ),
    ...(hasExpected ? [measure("expected", ({ trial }) => trial.expected ?? "")] : []),
    ...(isText ? ["answer"] : fields).map((field, at) => measure(field, (row) => ownValueOf(row, at), isText)),
    ...others.map(({ name }, at) => measure(name, (row) => otherValueOf(row, at), isText)),
  ];
  return {
    tracks: widths.map(({ least, weight }) => `minmax(${least}px, ${weight}fr)`).join(" "),
    minWidth: widths.reduce((sum, { least }) => sum + least, 0),
  };
}
