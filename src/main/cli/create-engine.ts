import { readFile } from "node:fs/promises";
import { type Clock, createSystemClock, type Engine, type Ids, type Logger, type Machine } from "#main/base";
import {
  createMockEngine,
  createRecordingEngine,
  createScopedRules,
  createScriptedEngine,
  createUpstreamEngine,
  isFolder,
  loadTemplates,
  openRecordings,
  openRulesFile,
  RulesError,
  type RulesSource,
} from "#main/engines";
import { createModelCatalog, type Model, parseModels } from "#main/requests";
import { ConfigFileError, loadConfigReader } from "#main/storage";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { readKey } from "./read-key.ts";
import type { EngineFlags } from "./shared-flags.ts";

interface EngineDeps {
  readonly clock: Clock;
  readonly machine: Machine;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Replaces the built-in list. */
  readonly models?: readonly Model[] | undefined;
  /** The variable with an upstream's key. */
  readonly env: CommandProcess["env"];
}

/**
 * The engine that the flags ask for: `--rules` alone means the scripted one, `--upstream-url` alone the upstream.
 * @throws CliError when something is missing, or the rules have mistakes: then with all of them
 */
export async function createEngine(flags: EngineFlags, parts: EngineDeps): Promise<Engine> {
  const { engine, rules } = await openEngine(flags, parts);
  return rules === undefined ? engine : createScriptedEngine({ ...parts, rules: createScopedRules(rules), engine });
}

/**
 * The same for a service, which asks the rules before the engine.
 * @throws CliError as `createEngine` does
 */
export async function openEngine(
  flags: EngineFlags,
  parts: EngineDeps,
): Promise<{ engine: Engine; rules?: RulesSource }> {
  const engine = chooseEngine(flags);
  refuseStrangers(engine, flags);
  try {
    switch (engine) {
      case "mock":
        return { engine: createMock(flags, parts) };
      case "scripted": {
        await Promise.all([loadConfigReader(), loadTemplates()]);
        const path = requireFlag(flags.rules, "--engine scripted needs --rules FILE.");
        const options = { isStrict: flags.replay === "strict" };
        const rules = isFolder(path) ? openRecordings(path, options) : openRulesFile(path, parts.logger, options);
        return { rules, engine: createMock(flags, parts) };
      }
      case "upstream":
        return { engine: await createRecordedUpstream(flags, parts) };
    }
  } catch (error) {
    if (error instanceof RulesError)
      throw new CliError(["the rules can't be used:", ...error.problems].join("\n"), exitCodes.unusable);
    throw error;
  }
}

/** The engine that the flags name, or mean. */
export function chooseEngine({ engine, rules, upstreamUrl }: EngineFlags): NonNullable<EngineFlags["engine"]> {
  if (engine !== undefined) return engine;
  if (upstreamUrl !== undefined) return "upstream";
  return rules === undefined ? "mock" : "scripted";
}

function createMock({ pace, seed }: EngineFlags, { clock, ids, models }: EngineDeps): Engine {
  return createMockEngine({ pace, seed, clock, ids, catalog: createModelCatalog("standard", models) });
}

/** The upstream, with what is recorded of it; with `--record-missing` it is asked for what is not in the recording yet. */
async function createRecordedUpstream(flags: EngineFlags, parts: EngineDeps): Promise<Engine> {
  const upstream = createUpstream(flags, parts);
  const { record } = flags;
  if (record === undefined) return upstream;
  if (!flags.recordMissing) return await createRecordingEngine(upstream, record, parts.logger);
  await loadConfigReader();
  const rules = createScopedRules(openRecordings(record));
  const engine = await createRecordingEngine(upstream, record, parts.logger, rules.append);
  return createScriptedEngine({ ...parts, rules, engine });
}

/** Time is the machine's, however fast the server's clock runs: the upstream's minutes are real ones. */
function createUpstream(flags: EngineFlags, { ids, machine, env }: EngineDeps): Engine {
  const pairs = (flags.upstreamModel ?? []).map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return createUpstreamEngine({
    url: requireFlag(flags.upstreamUrl, "--engine upstream needs --upstream-url URL."),
    key: flags.upstreamKeyEnv === undefined ? null : readUpstreamKey(flags.upstreamKeyEnv, env),
    models: new Map(pairs),
    passesOn: true,
    concurrency: flags.upstreamConcurrency,
    timeout: flags.upstreamTimeout * 1_000,
    retries: flags.upstreamRetries,
    requestsPerMinute: flags.upstreamRpm ?? null,
    tokensPerMinute: flags.upstreamTpm ?? null,
    clock: createSystemClock(machine),
    ids,
  });
}

function readUpstreamKey(name: string, env: CommandProcess["env"]): string {
  const key = readKey(env[name], `--upstream-key-env: the key in ${name}`);
  if (key === null) throw new CliError(`--upstream-key-env: the environment has no ${name}.`, exitCodes.unusable);
  return key;
}

/** Refuses flags of other engines. */
function refuseStrangers(
  engine: NonNullable<EngineFlags["engine"]>,
  { rules, upstreamUrl, record, recordMissing, replay }: EngineFlags,
): void {
  const refuse = (name: string, owner: string) => {
    throw new CliError(`${name} is for --engine ${owner}, not ${engine}.`, exitCodes.unusable);
  };
  if (rules !== undefined && engine !== "scripted") refuse("--rules", "scripted");
  if (upstreamUrl !== undefined && engine !== "upstream") refuse("--upstream-url", "upstream");
  if (record !== undefined && engine !== "upstream") refuse("--record", "upstream");
  if (replay !== undefined && engine !== "scripted") refuse("--replay", "scripted");
  if (recordMissing && record === undefined) {
    throw new CliError("--record-missing needs --record FILE, which it adds to.", exitCodes.unusable);
  }
}

function requireFlag<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new CliError(message, exitCodes.unusable);
  return value;
}

/**
 * The models of a `--models` file; undefined without one.
 * @throws CliError when it cannot be read, or with all the mistakes in it
 */
export async function readModels(file: string | undefined): Promise<readonly Model[] | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, "utf8").catch((error) => {
    throw describeFileError(error, file);
  });
  await loadConfigReader();
  try {
    return parseModels(text, file);
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new CliError(["the models can't be used:", ...error.problems].join("\n"), exitCodes.unusable);
  }
}
