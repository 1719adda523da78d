/** A repair puts this in place of a damaged origin record. Exports then report that the columns of the table are missing. */
export const lostOrigin = { isLost: true } as const;

/** Whether a record is one that a repair left. */
export function isLostOrigin(record: unknown): boolean {
  return typeof record === "object" && record !== null && "isLost" in record && record.isLost === true;
}
