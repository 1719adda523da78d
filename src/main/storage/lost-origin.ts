/**
 * What a repair leaves in the place of a damaged record of what a batch was built from: without a record nobody would know
 * that the batch had a table, and its exports would lack the table's columns and not say so.
 */
export const lostOrigin = { isLost: true } as const;

/** Whether a record is one that a repair left. */
export function isLostOrigin(record: unknown): boolean {
  return typeof record === "object" && record !== null && "isLost" in record && record.isLost === true;
}
