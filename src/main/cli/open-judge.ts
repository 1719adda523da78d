import { readFile } from "node:fs/promises";
import { createRandomIds, createSystemClock, ServiceError } from "#main/base";
import { createRulesVerifier, createVerifier, type ModelGraderParts, type Verifier } from "#main/judging";
import { createModelCatalog } from "#main/requests";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { createEngine, readModels } from "./create-engine.ts";
import { chooseJudge } from "./judge-flags.ts";
import type { VerifyFlags } from "./judging-flags.ts";
import { createCommandLogger } from "./open-service.ts";
import type { EngineFlags, ModelFlags } from "./shared-flags.ts";

/** A judge, and how many answers it judges at a time. */
export interface OpenJudge {
  readonly verifier: Verifier;
  readonly concurrency: number;
}

/**
 * Runs `work` with the judge that the flags ask for, and with its engine where a model judges.
 * @throws CliError when the flags don't fit, or the model is unknown
 */
export async function withJudgeOf<T>(
  flags: VerifyFlags,
  io: CommandProcess,
  work: (judge: OpenJudge) => Promise<T>,
): Promise<T> {
  const choice = chooseJudge(flags);
  if (choice.judge === "rules") return await work({ verifier: createRulesVerifier(), concurrency: 1 });
  const system = flags.judgeSystem === undefined ? undefined : await readSystemMessage(flags.judgeSystem);
  return await withJudgeEngine(flags, io, (parts) => {
    const verifier = createVerifier(choice, { ...parts, ...(system !== undefined && { system }) });
    return work({ verifier, concurrency: parts.engine.concurrency });
  });
}

/** Runs `work` with the engine that the flags name for `--judge-model`. */
export async function withJudgeEngine<T>(
  flags: EngineFlags & ModelFlags,
  io: CommandProcess,
  work: (parts: ModelGraderParts) => Promise<T>,
): Promise<T> {
  const [clock, ids, models] = [createSystemClock(io.machine), createRandomIds(), await readModels(flags.models)];
  const engine = await createEngine(flags, {
    clock,
    machine: io.machine,
    ids,
    logger: createCommandLogger(io),
    models,
    env: io.env,
  });
  try {
    return await work({ engine, models: createModelCatalog("standard", models), clock, ids });
  } catch (error) {
    if (error instanceof ServiceError) throw new CliError(`--judge-model: ${error.message}`, exitCodes.unusable);
    throw error;
  } finally {
    await engine.close?.();
  }
}

/** The text of a file, without a byte-order mark. */
async function readSystemMessage(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw describeFileError(error, file);
  });
  return text.replace(/^\ufeff/, "");
}
