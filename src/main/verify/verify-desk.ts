import type { JudgeChoice, Verification, VerificationSummary, VerifyInput } from "#contract";
import { type Clock, type Ids, type Logger, ServiceError, type Verifier } from "#service";
import type { VerificationHistory } from "./verification-history.ts";

/** Verifies one response at a time, and remembers what came of it. */
export interface VerifyDesk {
  /** Rejects with the signal's reason; with a ServiceError when the judge that is asked for can't be had. */
  check(input: VerifyInput, choice: JudgeChoice, signal?: AbortSignal): Promise<Verification>;
  /** Newest first. */
  history(): Promise<VerificationSummary[]>;
  get(id: string): Promise<Verification>;
  clearHistory(): Promise<{ removed: number }>;
}

export interface VerifyDeskParts {
  /** Throws a ServiceError when the choice can't be had. */
  readonly verifierFor: (choice: JudgeChoice) => Verifier;
  readonly history: VerificationHistory;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export function createVerifyDesk({ verifierFor, history, clock, ids, logger }: VerifyDeskParts): VerifyDesk {
  /** The user has the result on the screen: that it can't be kept is not a failure of the verification. */
  async function keep(verification: Verification): Promise<void> {
    try {
      await history.add(verification);
    } catch (error) {
      logger.warn("a verification can't be kept", { error: String(error) });
    }
  }

  return {
    async check(input, choice, signal) {
      const verifier = verifierFor(choice);
      const start = performance.now();
      const result = await verifier.verify(input, signal === undefined ? {} : { signal });
      const milliseconds = performance.now() - start;
      const { document, strict } = input;
      const verification = {
        id: ids.create("verification"),
        at: clock.now(),
        choice,
        strict,
        document,
        result,
        isEarlier: false,
        milliseconds,
      };
      await keep(verification);
      return verification;
    },
    history() {
      // Whoever looks at what was verified is about to verify.
      verifierFor({ judge: "rules", model: null, preset: "general" }).prepare?.();
      return history.list();
    },
    async get(id) {
      const verification = await history.get(id);
      if (verification === null) throw new ServiceError("not_found", "This verification is no longer there.", "id");
      return verification;
    },
    clearHistory: async () => ({ removed: await history.clear() }),
  };
}
