import { z } from "zod";
import { answerEndSchema } from "./answer-ends.ts";
import { gradeSchema, labelPaths } from "./rpc/grades.ts";
import { verdictSchema } from "./wire/verify.ts";

/** `waiting`: not answered yet. `skipped`: never ran, because the batch was cancelled or expired. */
export const lineStateSchema = z.enum(["waiting", "answered", "failed", "skipped", "awaited", "damaged"]);
/** The error of an awaited line: its service counted it as done and has not handed out its result, so it may be paid. */
export const awaitedCode = "result_awaited";
/** The errors of lines that may be paid: they are asked again only when their user confirms it. */
export const maybePaidCodes: ReadonlySet<string> = new Set([awaitedCode, "result_unreadable", "results_gone"]);
export type LineState = z.infer<typeof lineStateSchema>;

/** What paths begin with of columns in answers that are JSON, and of those of the table that a batch was built from. */
export const answerPrefix = "answer.";
export const sourcePrefix = "source.";
/** And of those of the tools that answers call, and of the choices after the first: `tool.weather.city`, `choice.2`. */
export const toolPrefix = "tool.";
export const choicePrefix = "choice.";

/** The path of a column, in filters, sorts and charts: keys of JSON are long at times. */
export const columnPathSchema = z.string().min(1).max(20_000);

/** Whether a column is in the answers, beside the answer itself. */
export function isInAnswer(path: string): boolean {
  return [answerPrefix, toolPrefix, choicePrefix].some((prefix) => path.startsWith(prefix));
}

/** A column that the results of every batch may have. Its path, the key in the table, is its name in filters, sorts, charts and exports. */
interface ColumnDefinition {
  /** Of numbers; left out for text. */
  readonly kind?: "integer" | "decimal";
  readonly header: string;
  /** The same where nothing shows its unit. */
  readonly headerWithUnit?: string;
  /** What is to be known of its values. */
  readonly hint?: string;
  /** Where it is read to filter, sort and chart; left out for the index of the lines, which is in memory. `export`: it is exported alone. */
  readonly readFrom?: "request" | "answer" | "export";
  /** Its member of a line, and its values in a row of the page; without those, rows don't have it. */
  readonly row?: { readonly member: string; readonly values?: z.ZodType };
  /** How the page offers it; left out where it doesn't. */
  readonly page?: {
    /** Under which title. */
    readonly group: "Table" | "Answer" | "Run" | "Verdicts and grades";
    /** What a batch must have for it. */
    readonly needs?: "verdicts" | "grades" | "prices" | "times" | "pictures";
    /** Whether it is shown without a choice, beside those that depend on the batch (`listDefaultColumns`). */
    readonly isDefault?: true;
    /** Whether no two lines have the same value: there is no chart of it. */
    readonly isUnique?: true;
  };
  /**
   * The member of a summary that counts its values, and the title of that chart. Of text, the member of a filter with some of
   * its values has this name, too; other columns are filtered by conditions.
   */
  readonly counted?: { readonly as: string; readonly title: string; readonly leastStep?: number };
  /** When an export has it: always, where some line has a value, or where it is asked for. `name`: in the file, if not its path. */
  readonly exported?: { readonly when: "always" | "filled" | "asked"; readonly name?: string };
}

/** In the order of the page. */
const columns = {
  line: {
    kind: "integer",
    header: "Line",
    row: { member: "line", values: z.int() },
    page: { group: "Table", isDefault: true, isUnique: true },
    exported: { when: "asked" },
  },
  custom_id: {
    header: "custom_id",
    readFrom: "request",
    row: { member: "customId", values: z.string() },
    page: { group: "Table", isUnique: true },
    exported: { when: "always" },
  },
  /** The last user message; in a row at most 300 characters. */
  question: {
    header: "Question",
    readFrom: "request",
    row: { member: "question", values: z.string() },
    page: { group: "Table" },
    exported: { when: "asked" },
  },
  /** What the request sends as pictures, one a line: addresses, and of data that came along its type and size. */
  picture: {
    header: "Picture",
    readFrom: "request",
    row: { member: "picture", values: z.string().optional() },
    page: { group: "Table", needs: "pictures", isUnique: true },
    exported: { when: "filled" },
  },
  /** Of a row also the error's message; at most 300 characters; empty while waiting. */
  answer: {
    header: "Answer",
    readFrom: "answer",
    row: { member: "answer", values: z.string() },
    page: { group: "Answer" },
    exported: { when: "always" },
  },
  status: {
    header: "Status",
    row: { member: "state", values: lineStateSchema },
    page: { group: "Run" },
    counted: { as: "states", title: "Status" },
    exported: { when: "always" },
  },
  /** Why the answer ended, as models give it: `stop`, `length` … */
  finish: {
    header: "Finish",
    row: { member: "finishReason", values: z.string().nullable() },
    page: { group: "Run" },
    counted: { as: "finish", title: "Finish reasons" },
    exported: { when: "always", name: "finish_reason" },
  },
  /** The same by what it means; null for a line without an answer. */
  end: {
    header: "End",
    hint: "How the answer ended: complete, with tool calls, cut, empty or refused.",
    row: { member: "end", values: answerEndSchema.nullable() },
    page: { group: "Run" },
    counted: { as: "ends", title: "How answers ended" },
    exported: { when: "asked" },
  },
  /** What went wrong, as a code; null for a line that has not failed. */
  error: {
    header: "Error",
    row: { member: "errorCode", values: z.string().nullable() },
    page: { group: "Run" },
    counted: { as: "errors", title: "Errors" },
    exported: { when: "always" },
  },
  /** What its verification came to; null for a line that has not been verified. */
  verdict: {
    header: "Verdict",
    row: { member: "verdict", values: verdictSchema.nullable() },
    page: { group: "Verdicts and grades", needs: "verdicts", isDefault: true },
    counted: { as: "verdicts", title: "Answers by verdict" },
    exported: { when: "filled" },
  },
  /** Whether it has the form that its prompt asks for; null where nothing about it was checked. */
  form: {
    header: "Form",
    hint: "Whether the answer has the form that its prompt asks for: sentences, words, format.",
    row: { member: "form", values: z.enum(["kept", "broken"]).nullable() },
    page: { group: "Verdicts and grades", needs: "verdicts" },
    counted: { as: "forms", title: "Form of answers" },
    exported: { when: "filled" },
  },
  /** Whether rules and model agree; null where they did not both judge a claim of the answer. */
  agreement: {
    header: "Judges",
    hint: "Whether the rules and the model agree: they disagree where one supports what the other speaks against.",
    row: { member: "agreement", values: z.enum(["agree", "disagree"]).nullable() },
    page: { group: "Verdicts and grades", needs: "verdicts" },
    counted: { as: "agreements", title: "Rules and model" },
    exported: { when: "filled" },
  },
  /** Of the claim that shows why an answer has its verdict: the reason, the claim, and the passage that shows it or is most like it. */
  "verify.reason": {
    header: "Reason",
    readFrom: "export",
    row: { member: "verifyReason" },
    exported: { when: "filled" },
  },
  "verify.claim": { header: "Claim", readFrom: "export", row: { member: "verifyClaim" }, exported: { when: "filled" } },
  "verify.passage": {
    header: "Passage",
    readFrom: "export",
    row: { member: "verifyPassage" },
    exported: { when: "filled" },
  },
  /** Null for a line that has not been graded. */
  grade: {
    header: "Grade",
    row: { member: "grade", values: gradeSchema.nullable() },
    page: { group: "Verdicts and grades", needs: "grades", isDefault: true },
    counted: { as: "grades", title: "Grades" },
    exported: { when: "filled" },
  },
  prompt_tokens: {
    kind: "integer",
    header: "Prompt tokens",
    row: { member: "promptTokens", values: z.int().nullable() },
    page: { group: "Run" },
    counted: { as: "promptTokens", title: "Tokens of prompts", leastStep: 1 },
    exported: { when: "always" },
  },
  completion_tokens: {
    kind: "integer",
    header: "Tokens",
    row: { member: "completionTokens", values: z.int().nullable() },
    page: { group: "Run", isDefault: true },
    counted: { as: "completionTokens", title: "Tokens of answers", leastStep: 1 },
    exported: { when: "always" },
  },
  /** From the request to its answer; null when not known. */
  milliseconds: {
    kind: "decimal",
    header: "Time",
    headerWithUnit: "Time in milliseconds",
    row: { member: "milliseconds", values: z.number().nullable() },
    page: { group: "Run", needs: "times", isDefault: true },
    counted: { as: "milliseconds", title: "Time", leastStep: 1 },
    exported: { when: "asked" },
  },
  /** What the answer cost, in US dollars; null where no price or no usage is known. */
  cost: {
    kind: "decimal",
    header: "Cost",
    hint: "The price of each answer’s tokens; nothing for an answer that was reused.",
    row: { member: "cost", values: z.number().nullable() },
    page: { group: "Run", needs: "prices" },
    counted: { as: "cost", title: "Cost", leastStep: 0 },
    exported: { when: "always" },
  },
  /** That was asked; in a file of answers alone, that answered. */
  model: { header: "Model", readFrom: "export", row: { member: "model" }, exported: { when: "always" } },
  /** Of the prompt, in the service's cache, and written to it; of the answer, those of its reasoning. */
  cached_tokens: {
    kind: "integer",
    header: "Cached tokens",
    readFrom: "export",
    row: { member: "cachedTokens" },
    exported: { when: "always" },
  },
  cache_write_tokens: {
    kind: "integer",
    header: "Cache write tokens",
    readFrom: "export",
    row: { member: "cacheWriteTokens" },
    exported: { when: "always" },
  },
  reasoning_tokens: {
    kind: "integer",
    header: "Reasoning tokens",
    readFrom: "export",
    row: { member: "reasoningTokens" },
    exported: { when: "always" },
  },
  /** What the model thought before its answer; in a row at most 300 characters. */
  reasoning: {
    header: "Reasoning",
    hint: "The model's reasoning before its answer, if the service returns it.",
    readFrom: "answer",
    row: { member: "reasoning", values: z.string().nullable() },
    page: { group: "Answer", isUnique: true },
    exported: { when: "filled" },
  },
  /** Labels of graded lines: the table of labels leads to them. */
  [labelPaths.expected]: { header: "Expected" },
  [labelPaths.given]: { header: "Given" },
} as const satisfies Readonly<Record<string, ColumnDefinition>>;

type Columns = typeof columns;
export type ColumnName = keyof Columns;
/** The names of the columns whose definition has this. */
export type ColumnsWith<Part> = { [Name in ColumnName]: Columns[Name] extends Part ? Name : never }[ColumnName];

type WithRow = ColumnsWith<{ row: { values: z.ZodType } }>;
type WithCounts = ColumnsWith<{ counted: object }>;
type OfNumbers = ColumnsWith<{ kind: string }>;
type WithFilter = Exclude<WithCounts, OfNumbers>;

/** A definition with the names that there are. */
export interface ResultColumnDefinition extends ColumnDefinition {
  readonly row?: {
    readonly member: Columns[ColumnsWith<{ row: object }>]["row"]["member"];
    readonly values?: z.ZodType;
  };
  readonly counted?: ColumnDefinition["counted"] & { readonly as: Columns[WithCounts]["counted"]["as"] };
}

/** The columns that the results of every batch may have, by their paths. */
export const resultColumns: Readonly<Record<ColumnName, ResultColumnDefinition>> = columns;

/** The paths of these columns: first the given ones, then the others in the order of the page. */
export function listColumnNames(first: readonly ColumnName[] = []): readonly ColumnName[] {
  return [...new Set([...first, ...(Object.keys(columns) as ColumnName[])])];
}

/** Undefined for a path into an answer or a table, and for one that there is not. */
export function findColumn(path: string): ResultColumnDefinition | undefined {
  return Object.hasOwn(columns, path) ? resultColumns[path as ColumnName] : undefined;
}

/** The member of a filter with some values of a column; undefined for one without. */
export function filterMemberOf(path: string): Columns[WithFilter]["counted"]["as"] | undefined {
  const { kind, counted } = findColumn(path) ?? {};
  return kind === undefined ? (counted?.as as Columns[WithFilter]["counted"]["as"]) : undefined;
}

/** An object's members, one for each column that `make` has one of. */
function toShape<Shape>(
  make: (column: ResultColumnDefinition) => readonly [name?: string | undefined, member?: z.ZodType | undefined],
): Shape {
  const members = listColumnNames().map((name) => make(resultColumns[name]));
  return Object.fromEntries(members.filter(([name, member]) => name !== undefined && member !== undefined)) as Shape;
}

/** What a row has of these columns. */
export const rowShape = toShape<{
  [Name in WithRow as Columns[Name]["row"]["member"]]: Columns[Name]["row"]["values"];
}>(({ row }) => [row?.member, row?.values]);

type Known<Values> = Values extends z.ZodNullable<infer Inner> ? Inner : Values;

/** The members of a filter that are values of a column. */
export const filterShape = toShape<{
  [Name in WithFilter as Columns[Name]["counted"]["as"]]: z.ZodOptional<
    z.ZodArray<Known<Columns[Name]["row"]["values"]>>
  >;
}>(({ kind, row, counted }) => {
  const { values } = row ?? {};
  if (kind !== undefined || values === undefined) return [];
  return [
    counted?.as,
    z
      .array(values instanceof z.ZodNullable ? values.unwrap() : values)
      .min(1)
      .optional(),
  ];
});

/** The members of a summary: `words` of columns of text, `numbers` of the others. */
export function toSummaryShape<Words extends z.ZodType, Numbers extends z.ZodType>(words: Words, numbers: Numbers) {
  return toShape<{ [Name in WithCounts as Columns[Name]["counted"]["as"]]: Name extends OfNumbers ? Numbers : Words }>(
    ({ kind, counted }) => [counted?.as, kind === undefined ? words : numbers],
  );
}
