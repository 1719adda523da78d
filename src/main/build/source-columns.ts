import {
  defaultCustomId,
  guessExpected,
  noSourceColumns,
  placeholderFor,
  type RequestTemplate,
  type SourceColumns,
  sourcePrefix,
} from "#contract";

/** The columns that a template uses, of those that there are. */
export type FindUsedColumns = (template: RequestTemplate, columns: readonly string[]) => Promise<readonly string[]>;

/** Which columns of a table a template uses. */
export async function describeSourceColumns(
  columns: readonly string[],
  template: RequestTemplate,
  findUsedColumns: FindUsedColumns,
): Promise<SourceColumns> {
  const named = template.messages.flatMap(({ imageColumn }) => imageColumn ?? []);
  const hasChosenIds = template.customId.trim() !== defaultCustomId;
  if (columns.length === 0) return { ...noSourceColumns, hasChosenIds };
  const inPrompt = await findUsedColumns({ ...template, customId: "" }, columns);
  return {
    columns: [...columns],
    hasChosenIds,
    inPrompt: inPrompt.filter((column) => placeholderFor(column) !== template.customId.trim()),
    expected: guessExpected(columns),
    ...(named.length > 0 && { pictures: named.map((column) => `${sourcePrefix}${column}`) }),
    isQuestionShared: false,
  };
}
