import { type JudgeChoice, judgeNameSchema, judgePresetSchema } from "#contract";
import { CliError, exitCodes } from "./cli-error.ts";
import { flag } from "./flag.ts";
import { oneOf, text } from "./flag-types.ts";

/** The flags that choose the judge. */
export const judgeFlags = {
  judge: flag("<NAME>", "who judges", oneOf(judgeNameSchema.options), {
    otherwise: "rules",
  }),
  judgeModel: flag("<NAME>", "model that judges; alone, it means --judge model", text("the name of a model")),
  judgePreset: flag("<NAME>", "how the model is asked", oneOf(judgePresetSchema.options), { otherwise: "general" }),
};

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
