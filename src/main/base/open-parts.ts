/** Closes parts that were opened. `How`: what each is told about its end. Node has an AsyncDisposableStack from 24 on only. */
export interface CleanUp<How extends unknown[] = []> {
  defer(step: (...how: How) => unknown): void;
  /** Closes them in the reverse order: each, also when another fails. Rejects with a failure when all are closed. */
  run(...how: How): Promise<void>;
}

export function createCleanUp<How extends unknown[] = []>(): CleanUp<How> {
  const steps: ((...how: How) => unknown)[] = [];

  async function run(...how: How): Promise<void> {
    const step = steps.pop();
    if (step === undefined) return;
    try {
      await step(...how);
    } finally {
      await run(...how);
    }
  }
  return { defer: (step) => void steps.push(step), run };
}

/**
 * Opens one part after another; the answer has what `open` answers with, and closes them. Where one can't be opened, those
 * before it are closed as `how` says, and the call rejects with why that is.
 */
export async function openParts<Opened extends object, How extends unknown[] = []>(
  open: (parts: CleanUp<How>) => Promise<Opened>,
  ...how: How
): Promise<Opened & { close(...how: How): Promise<void> }> {
  const parts = createCleanUp<How>();
  let closed: Promise<void> | undefined;
  try {
    const opened = await open(parts);
    return {
      ...opened,
      // Who asks again waits for the same end.
      async close(...asked) {
        closed ??= parts.run(...asked);
        await closed;
      },
    };
  } catch (error) {
    // Why the part can't be opened says more than what then can't be closed.
    await parts.run(...how).catch(() => {});
    throw error;
  }
}
