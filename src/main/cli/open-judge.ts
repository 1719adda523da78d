import {
  createModelCatalog,
  createRandomIds,
  createRulesVerifier,
  createSystemClock,
  createVerifier,
  ServiceError,
  type Verifier,
} from "#service";
import { CliError, exitCodes } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { createEngine } from "./create-engine.ts";
import type { VerifyFlags } from "./flags.ts";
import { chooseJudge } from "./judge-flags.ts";
import { createCommandLogger } from "./open-service.ts";
import { readModels } from "./read-models.ts";

/** Who judges, and how many answers it takes at a time. */
export interface OpenJudge {
  readonly verifier: Verifier;
  readonly concurrency: number;
}

/**
 * Does a piece of work with the judge that the flags ask for, and with its engine where a model judges.
 * @throws CliError when the flags don't fit, or the model is unknown
 */
export async function withJudgeOf<T>(
  flags: VerifyFlags,
  io: CommandProcess,
  work: (judge: OpenJudge) => Promise<T>,
): Promise<T> {
  const choice = chooseJudge(flags);
  if (choice.judge === "rules") return await work({ verifier: createRulesVerifier(), concurrency: 1 });
  const clock = createSystemClock();
  const ids = createRandomIds();
  const models = await readModels(flags.models);
  const engine = await createEngine(flags, { clock, ids, logger: createCommandLogger(io), models, env: io.env });
  try {
    const parts = { engine, models: createModelCatalog("standard", models), clock, ids };
    return await work({ verifier: createVerifier(choice, parts), concurrency: engine.concurrency });
  } catch (error) {
    if (error instanceof ServiceError) throw new CliError(`--judge-model: ${error.message}`, exitCodes.unusable);
    throw error;
  } finally {
    await engine.close?.();
  }
}
