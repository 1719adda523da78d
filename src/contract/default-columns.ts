import { z } from "zod";
import { answerPrefix, type ColumnName, sourcePrefix } from "./result-columns.ts";

/** The columns of a source table, and which of them the requests use. */
export const sourceColumnsSchema = z.object({
  /** All columns of the table; none where it is gone or unknown. */
  columns: z.array(z.string()),
  /** Whether somebody chose the Row IDs: they say more than the numbers of lines. */
  hasChosenIds: z.boolean(),
  /** The columns that the prompt uses, in its order, without the one that is the Row ID. */
  inPrompt: z.array(z.string()),
  /** The column with the expected answers, by its name. */
  expected: z.string().nullable(),
  /** The columns whose pictures are sent, by their paths: of the table, or `picture` where they are in the requests alone. */
  pictures: z.array(z.string()).optional(),
  /** Whether all prompts ask the same words last, so that these tell no row from another. */
  isQuestionShared: z.boolean(),
});
export type SourceColumns = z.infer<typeof sourceColumnsSchema>;

/** The column of pictures that no table names. */
export const pictureColumn = "picture" satisfies ColumnName;

/** What is assumed as long as nothing is known. */
export const noSourceColumns: SourceColumns = {
  columns: [],
  hasChosenIds: false,
  inPrompt: [],
  expected: null,
  isQuestionShared: false,
};

/** Columns that somebody can show at once, and export: as many as a sheet of Excel has. */
export const mostShownColumns = 16_384;

/** Columns of a prompt that tables begin with: the others are in the menu of columns. */
const mostPromptColumns = 10;

/**
 * The columns that results, a trial and a comparison begin with, by their paths: the Row ID that was chosen, the columns that
 * the prompt uses, those of pictures first, the expected answer, then the answers.
 * @param answers the fields of the answers; none where the answers are shown as they are
 */
export function listDefaultColumns(
  { hasChosenIds, inPrompt, expected, isQuestionShared, pictures = [] }: Omit<SourceColumns, "columns">,
  answers: readonly string[],
): readonly string[] {
  const inOrder = inPrompt.filter((column) => column !== expected).map(toSourcePath);
  // A picture is looked at first, and takes little room.
  const used = [
    ...inOrder.filter((path) => pictures.includes(path)),
    ...inOrder.filter((path) => !pictures.includes(path)),
  ].slice(0, mostPromptColumns);
  const prompts = used.length > 0 || isQuestionShared ? used : ["question"];
  return [
    ...(hasChosenIds || prompts.length === 0 ? ["custom_id"] : []),
    ...(pictures.includes(pictureColumn) ? [pictureColumn] : []),
    ...prompts,
    ...(expected === null ? [] : [toSourcePath(expected)]),
    ...listAnswerColumns(answers),
  ];
}

/** The fields of answers as columns; the whole answer where there are none. */
export function listAnswerColumns(fields: readonly string[]): readonly string[] {
  return fields.length === 0 ? ["answer"] : fields.map((field) => `${answerPrefix}${field}`);
}

function toSourcePath(column: string): string {
  return `${sourcePrefix}${column}`;
}
