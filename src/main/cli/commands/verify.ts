import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { longestVerifyText, type VerifyInput, type VerifyResult } from "#contract";
import {
  createLogger,
  createModelCatalog,
  createRandomIds,
  createRulesVerifier,
  createSystemClock,
  createVerifier,
  ServiceError,
} from "#service";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { createEngine } from "../create-engine.ts";
import { describeFileError } from "../file-error.ts";
import type { VerifyFlags } from "../flags.ts";
import { formatVerdict } from "../format-verdict.ts";
import { chooseJudge } from "../judge-flags.ts";
import { readModels } from "../model-flags.ts";
import { print } from "../output.ts";

/** `sheaf verify`: one response, claim by claim. */
export async function verify(flags: VerifyFlags): Promise<ExitCode> {
  const judge = chooseJudge(flags);
  const input = await readInput(flags);
  const result =
    judge.judge === "rules" ? await createRulesVerifier().verify(input) : await judgeWithModel(input, flags);
  if (flags.json) print(JSON.stringify(result));
  else print(formatVerdict(result));
  return result.is_hallucination ? exitCodes.failed : exitCodes.ok;
}

async function judgeWithModel(input: VerifyInput, flags: VerifyFlags): Promise<VerifyResult> {
  const clock = createSystemClock();
  const ids = createRandomIds();
  const models = await readModels(flags.models);
  const engine = await createEngine(flags, { clock, ids, logger: createLogger({ level: "warn" }), models });
  try {
    const parts = { engine, models: createModelCatalog("standard", models), clock, ids };
    return await createVerifier(chooseJudge(flags), parts).verify(input);
  } catch (error) {
    if (error instanceof ServiceError) throw new CliError(`--judge-model: ${error.message}`, exitCodes.unusable);
    throw error;
  } finally {
    await engine.close?.();
  }
}

async function readInput(flags: VerifyFlags): Promise<VerifyInput> {
  const files = [flags.promptFile, flags.responseFile, flags.document].filter((file) => file === "-");
  if (files.length > 1) throw new CliError("only one text can come from standard input.", exitCodes.unusable);
  const prompt = await readText("prompt", flags.prompt, flags.promptFile);
  const response = await readText("response", flags.response, flags.responseFile);
  return { prompt, response, document: flags.document === undefined ? null : await readTextFile(flags.document) };
}

async function readText(name: string, given: string | undefined, file: string | undefined): Promise<string> {
  if (given !== undefined && file !== undefined) {
    throw new CliError(`--${name} and --${name}-file are for the same text: one of them.`, exitCodes.unusable);
  }
  if (given !== undefined) return given;
  if (file !== undefined) return await readTextFile(file);
  throw new CliError(`sheaf verify needs --${name} TEXT or --${name}-file FILE.`, exitCodes.unusable);
}

async function readTextFile(file: string): Promise<string> {
  const content = await readContent(file);
  if (content.length <= longestVerifyText) return content;
  const most = longestVerifyText.toLocaleString("en");
  throw new CliError(`${file}: it has more than the ${most} characters that can be verified.`, exitCodes.unusable);
}

async function readContent(file: string): Promise<string> {
  try {
    const content = file === "-" ? await readAll(process.stdin) : await readFile(file, "utf8");
    return content.startsWith("\ufeff") ? content.slice(1) : content;
  } catch (error) {
    throw describeFileError(error, file);
  }
}
