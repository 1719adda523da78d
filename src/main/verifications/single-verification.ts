import type { JudgeChoice, Verification, VerificationSummary, VerifyInput } from "#contract";
import type { Clock, Ids, Logger, Machine } from "#main/base";
import { ServiceError } from "#main/base";
import type { Durability } from "#main/storage";
import { createVerificationHistory } from "./history.ts";
import type { FindVerifier } from "./judge-thread.ts";

/** Verifies one response at a time, with a history of the result of it. */
export interface SingleVerifications {
  /** Rejects with the signal's reason; with a ServiceError when the judge that is asked for can't be had. */
  verify(input: VerifyInput, choice: JudgeChoice, signal?: AbortSignal): Promise<Verification>;
  /** Newest first. */
  history(): Promise<VerificationSummary[]>;
  get(id: string): Promise<Verification>;
  clearHistory(): Promise<{ removed: number }>;
}

export interface SingleVerificationDeps {
  /** Throws a ServiceError when the choice can't be had. */
  readonly verifierFor: FindVerifier;
  /** The file of the history, which need not be there yet. */
  readonly path: string;
  readonly durability: Durability;
  readonly clock: Clock;
  readonly machine: Machine;
  readonly ids: Ids;
  readonly logger: Logger;
}

export function createSingleVerifications(parts: SingleVerificationDeps): SingleVerifications {
  const { verifierFor, path, clock, machine, ids, logger } = parts;
  const history = createVerificationHistory(path, parts);

  return {
    async verify(input, choice, signal) {
      const verifier = verifierFor(choice);
      const start = machine.monotonic();
      const result = await verifier.verify(input, signal && { signal });
      const milliseconds = machine.monotonic() - start;
      const { document, strict, form } = input;
      const about = {
        id: ids.create("verification"),
        at: clock.now(),
        choice,
        strict,
        ...(form !== undefined && { form }),
        document,
      };
      const verification = { ...about, result, isEarlier: false, milliseconds };
      // The user has the result on the screen: that the history can't take it is no failure of the verification.
      await history.add(verification).catch((error: unknown) => {
        logger.warn("a verification is missing in the history", { error: String(error) });
      });
      return verification;
    },
    history() {
      // A user who looks at what was verified is about to verify.
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
