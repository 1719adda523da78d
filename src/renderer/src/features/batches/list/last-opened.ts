let batchId: string | null = null;

/** The batch that was opened last from the list, so that coming back leads to its row. Not kept beyond a reload. */
export const lastOpened = {
  get: (): string | null => batchId,
  set: (id: string): void => {
    batchId = id;
  },
};
