import type { Command } from "commander";
import { z } from "zod";
import { type JudgeChoice, judgeNameSchema, judgePresetSchema } from "#contract";
import { CliError, exitCodes } from "./cli-error.ts";

const presetNames = "general, minicheck, granite-guardian-4 or granite-guardian";

/** The flags that choose the judge. */
export const judgeFlags = {
  judge: z.literal(judgeNameSchema.options, "rules, model or both").optional(),
  judgeModel: z.string().min(1, "the name of a model").optional(),
  judgePreset: z.literal(judgePresetSchema.options, presetNames).optional(),
};

const presetHelp = `how the model is asked: ${presetNames} (default: general)`;

export function withJudge(command: Command): Command {
  return command
    .option("--judge <NAME>", "rules, model or both: rules for sums and formats, a model for the rest (default: rules)")
    .option("--judge-model <NAME>", "model that judges; alone, it means --judge model")
    .option("--judge-preset <NAME>", presetHelp)
    .option("--judge-system <FILE>", "system message that the model was trained with, word for word")
    .option("--strict", "what is not in the document counts as wrong, too");
}

/** The same for a server, whose engine is the model. */
export function withMcpJudge(command: Command): Command {
  return command
    .option("--judge <NAME>", "who judges for MCP clients: rules, model or both (default: rules)")
    .option("--judge-model <NAME>", "model that judges, answered by the engine; alone, it means --judge model")
    .option("--judge-preset <NAME>", presetHelp);
}

interface JudgeFlags {
  readonly judge?: JudgeChoice["judge"] | undefined;
  readonly judgeModel?: string | undefined;
  readonly judgePreset?: JudgeChoice["preset"] | undefined;
  readonly judgeSystem?: string | undefined;
  readonly rules?: string | undefined;
  readonly upstreamUrl?: URL | undefined;
}

/**
 * The judge that the flags ask for.
 * @throws CliError when a model is needed and none is named, or one is named that would not be asked
 */
export function chooseJudge(flags: JudgeFlags): JudgeChoice {
  const { judge, judgeModel, judgePreset: preset = "general", rules, upstreamUrl } = flags;
  const name = judge ?? (judgeModel === undefined ? "rules" : "model");
  if (name === "rules") {
    const strangers = {
      "--judge-model": judgeModel,
      "--judge-preset": flags.judgePreset,
      "--judge-system": flags.judgeSystem,
      "--rules": rules,
      "--upstream-url": upstreamUrl,
    };
    const stranger = Object.entries(strangers).find(([, value]) => value !== undefined);
    if (stranger === undefined) return { judge: name, model: null, preset };
    throw new CliError(`${stranger[0]} is for --judge model or both, not rules.`, exitCodes.unusable);
  }
  if (judgeModel !== undefined) return { judge: name, model: judgeModel, preset };
  throw new CliError(`--judge ${name} needs --judge-model NAME.`, exitCodes.unusable);
}
