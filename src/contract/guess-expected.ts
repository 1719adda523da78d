/** Names of columns with expected answers, the surest first. */
const expectedNames = [
  /^(expected|gold|reference|ground_?truth|correct|erwartet|attendue?|esperad[oa]|attes[oa])(_?(answer|label|output|value))?s?$/i,
  /^(answer|label|target|solution|output|result)s?$/i,
  /answer|label|expected|target|solution|gold|erwartet|attendu|esperad[oa]|attes[oa]/i,
];

/** The column of a table that holds the expected answers by its name, null when none is named so. */
export function guessExpected(columns: readonly string[]): string | null {
  return findNamed(columns, expectedNames);
}

const documentNames = [/^(documents?|dokumente?|documentos?|document[oi])$/i, /^contexts?$/i, /^passages?$/i];

/** The column of a table that holds the document of each line by its name, null when none is named so. */
export function guessDocument(columns: readonly string[]): string | null {
  return findNamed(columns, documentNames);
}

/** The column with the surest name. */
function findNamed(columns: readonly string[], names: readonly RegExp[]): string | null {
  for (const name of names) {
    const found = columns.find((column) => name.test(column.trim().replaceAll(/[\s-]+/g, "_")));
    if (found !== undefined) return found;
  }
  return null;
}
