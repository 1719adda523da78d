import { type JudgeChoice, judgeNameSchema, judgePresetSchema } from "#contract";
import { connectionName } from "./batch-flags.ts";
import { CliError, exitCodes } from "./cli-error.ts";
import { type FlagsOf, flag, inGroup, toggle } from "./flag.ts";
import { oneOf, path, text } from "./flag-types.ts";
import { secretFlags } from "./shared-flags.ts";

/** The flags that choose the judge. */
export const judgeFlags = {
  judge: flag("<NAME>", "who judges", oneOf(judgeNameSchema.options), {
    otherwise: "rules",
  }),
  judgeModel: flag("<NAME>", "model that judges; alone, it means --judge model", text("the name of a model")),
  judgePreset: flag("<NAME>", "how the model is asked", oneOf(judgePresetSchema.options), { otherwise: "general" }),
};

/** Whose model judges, and where its verdicts are saved; without a connection it is that of the engine. */
export const judgeSourceFlags = inGroup("Model of a connection, saved verdicts:", {
  connection: flag("<NAME>", "the connection whose model judges, as sheaf connections lists it", connectionName, {
    otherwise: "the engine flags",
  }),
  fresh: toggle("ignore the saved verdicts of the model and start over"),
  dataDir: flag("<DIR>", "folder with the connections and the saved verdicts", path, { otherwise: "the app's" }),
  ...secretFlags,
});
export type JudgeSourceFlags = FlagsOf<typeof judgeSourceFlags>;

interface JudgeFlags extends Partial<Pick<JudgeSourceFlags, "connection" | "fresh">> {
  readonly judge?: JudgeChoice["judge"] | undefined;
  readonly judgeModel?: string | undefined;
  readonly judgePreset?: JudgeChoice["preset"] | undefined;
  readonly judgeSystem?: string | undefined;
  readonly engine?: string | undefined;
  readonly rules?: string | undefined;
  readonly upstreamUrl?: URL | undefined;
}

/**
 * The judge that the flags ask for.
 * @throws CliError when a model is needed and none is named, or one is named that would not be asked
 */
export function chooseJudge(flags: JudgeFlags): JudgeChoice {
  const { judge, judgeModel, judgePreset: preset = "general" } = flags;
  const name = judge ?? (judgeModel === undefined ? "rules" : "model");
  if (name === "rules") {
    const strangers = {
      "--judge-model": judgeModel,
      "--judge-preset": flags.judgePreset,
      "--judge-system": flags.judgeSystem,
      "--rules": flags.rules,
      "--upstream-url": flags.upstreamUrl,
      "--connection": flags.connection,
      "--fresh": flags.fresh || undefined,
    };
    const stranger = Object.entries(strangers).find(([, value]) => value !== undefined);
    if (stranger === undefined) return { judge: name, model: null, preset };
    throw new CliError(`${stranger[0]} is for --judge model or both, not rules.`, exitCodes.unusable);
  }
  if (judgeModel === undefined) throw new CliError(`--judge ${name} needs --judge-model NAME.`, exitCodes.unusable);
  refuseTwoSources(flags);
  return { judge: name, model: judgeModel, preset };
}

/** @throws CliError where both a connection and an engine are named */
export function refuseTwoSources({ connection, engine, rules, upstreamUrl }: Omit<JudgeFlags, "fresh">): void {
  if (connection === undefined) return;
  const ofEngine = { "--engine": engine, "--rules": rules, "--upstream-url": upstreamUrl };
  const stranger = Object.entries(ofEngine).find(([, value]) => value !== undefined);
  if (stranger === undefined) return;
  throw new CliError(`--connection and ${stranger[0]} both name the judge: leave one out.`, exitCodes.unusable);
}
