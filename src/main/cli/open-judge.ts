import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { batchEndpoint, type JudgeChoice } from "#contract";
import { isAnswered, readBill, readTokens } from "#main/answers";
import { asObject, createRandomIds, createSystemClock, type Engine, ServiceError } from "#main/base";
import { hashContent } from "#main/batches";
import { createJudgeEngines, openConnections, openLinePrice } from "#main/connections";
import { waitAsAsked } from "#main/engines";
import { createRulesVerifier, createVerifier, type ModelGraderDeps, type Verifier } from "#main/judging";
import { createModelCatalog } from "#main/requests";
import { createJudgeSpending, type LinePrice } from "#main/results";
import { commandWrites, keepPrices, noDurability } from "#main/storage";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import { type CommandProcess, printError } from "./command-process.ts";
import { openConnectionStore, requireConnection } from "./commands/connections.ts";
import { createEngine, readModels } from "./create-engine.ts";
import { findDataFolder } from "./data-folder.ts";
import { chooseJudge, type JudgeSourceFlags } from "./judge-flags.ts";
import { createSpendMeter, type ModelCall, type Spend } from "./judge-spend.ts";
import type { VerifyFlags } from "./judging-flags.ts";
import { createCommandLogger } from "./open-service.ts";
import { identifyVerdicts, openSavedVerdicts, type SavedVerdicts } from "./saved-verdicts.ts";
import type { EngineFlags, ModelFlags } from "./shared-flags.ts";

/** A model that judges, and what is known of its verdicts. */
export interface ModelJudge {
  readonly parts: ModelGraderDeps;
  /** The connection whose model it is; undefined for the engine of the flags. */
  readonly connectionId: string | undefined;
  /** How many answers it judges at a time. */
  readonly concurrency: number;
  readonly saved: SavedVerdicts;
  /** What it used, also in earlier runs whose verdicts are saved. */
  readSpend(): Spend;
}

type ModelJudgeFlags = EngineFlags & ModelFlags & JudgeSourceFlags;

/** What is judged, for verdicts that are saved: how, by which model, and the file that the batch is known by. */
export interface Saving {
  readonly how: unknown;
  readonly model: string;
  readonly batch: string;
}

/**
 * The judge that the flags of `sheaf verify` ask for. `model`: null where the rules judge, else the model.
 * @throws CliError when the flags don't fit, or the model is unknown
 */
export async function withJudgeOf<T>(
  flags: VerifyFlags,
  batch: string | null,
  io: CommandProcess,
  work: (verifier: Verifier, model: ModelJudge | null) => Promise<T>,
): Promise<T> {
  const choice = chooseJudge(flags);
  if (choice.judge === "rules") return await work(createRulesVerifier(), null);
  const system = flags.judgeSystem === undefined ? undefined : await readSystemMessage(flags.judgeSystem);
  const { judge, preset } = choice;
  const saving = batch === null ? null : { how: ["verify", judge, preset, system], model: nameOf(choice), batch };
  return await withModelJudge(flags, saving, io, (model) => {
    const { parts, connectionId } = model;
    const verifier = createVerifier({ ...choice, connectionId }, { ...parts, ...(system !== undefined && { system }) });
    return work(verifier, model);
  });
}

const nameOf = ({ model }: JudgeChoice) => model ?? "";

/** Runs `work` with the model that the flags name, of a connection or of an engine. `saving`: null to save nothing. */
export async function withModelJudge<T>(
  flags: ModelJudgeFlags,
  saving: Saving | null,
  io: CommandProcess,
  work: (judge: ModelJudge) => Promise<T>,
): Promise<T> {
  const source = flags.connection === undefined ? await openEngineOf(flags, io) : await openConnectionOf(flags, io);
  const meter = createSpendMeter(source.price);
  let saved: SavedVerdicts | null = null;
  try {
    const folder = saving && source.engine.mayCost ? await findFolder(flags, saving, source, io) : null;
    saved = await openSavedVerdicts({ folder, isFresh: flags.fresh, onCall: meter.add }, io);
    const { noteCall } = saved;
    const engine = watchCalls(source.engine, io, async (call) => {
      meter.add(call);
      await noteCall(call);
    });
    const { parts, connectionId } = source;
    const judge = { ...parts, engine, ...(connectionId !== undefined && { engineAt: () => engine }) };
    return await work({
      parts: judge,
      connectionId,
      concurrency: source.concurrency,
      saved,
      readSpend: meter.read,
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (flags.connection === undefined) throw new CliError(`--judge-model: ${error.message}`, exitCodes.unusable);
    const next = saved?.isOpen ? " The verdicts so far are saved: the same command goes on." : "";
    throw new CliError(`${error.message}${next}`, exitCodes.failed);
  } finally {
    await saved?.close();
    await source.close();
  }
}

/** What answers for a model that judges. */
interface JudgeSource {
  readonly engine: Engine;
  readonly concurrency: number;
  readonly connectionId: string | undefined;
  readonly parts: Omit<ModelGraderDeps, "engine">;
  readonly price: LinePrice | null;
  /** Who answers for a model: its address, and its name there. */
  identify(model: string): unknown;
  close(): Promise<void>;
}

async function openEngineOf(flags: ModelJudgeFlags, io: CommandProcess): Promise<JudgeSource> {
  const [clock, ids, models] = [createSystemClock(io.machine), createRandomIds(), await readModels(flags.models)];
  const logger = createCommandLogger(io);
  const engine = await createEngine(flags, { clock, machine: io.machine, ids, logger, models, env: io.env });
  return {
    engine: waitAsAsked(engine, clock),
    concurrency: engine.concurrency,
    connectionId: undefined,
    parts: { models: createModelCatalog("standard", models), clock, ids },
    price: null,
    identify: (model) => [flags.upstreamUrl?.href, model, flags.upstreamModel],
    close: async () => await engine.close?.(),
  };
}

async function openConnectionOf(flags: ModelJudgeFlags, io: CommandProcess): Promise<JudgeSource> {
  const [clock, ids, { machine }] = [createSystemClock(io.machine), createRandomIds(), io];
  const store = await openConnectionStore(flags, io);
  const connection = await requireConnection(store, flags.connection ?? "");
  const connections = openConnections({ store, folder: join(findJudgingFolder(flags, io), "parts"), ids, machine });
  const dataDir = flags.dataDir ?? findDataFolder("app", { env: io.env });
  const spending = createJudgeSpending({
    dir: dataDir,
    durability: noDurability,
    prices: { keep: (record) => keepPrices(dataDir, record, commandWrites) },
    describeConnection: connections.describe,
    machine,
    logger: createCommandLogger(io),
  });
  const engines = createJudgeEngines(connections, clock, spending.note);
  const identity = await connections.identify(connection.id, batchEndpoint);
  const { concurrency } = await engines.open(connection.id);
  return {
    engine: { ...engines.at(connection.id), mayCost: true },
    concurrency,
    connectionId: connection.id,
    parts: { models: createModelCatalog("standard"), clock, ids },
    price: await openLinePrice(connection, { isDirect: true }),
    identify: (model) => identity?.keyOf({ model }),
    async close() {
      await spending.close();
      await connections.close();
    },
  };
}

/** Where verdicts of the command line are saved: beside its jobs. */
function findJudgingFolder({ dataDir }: JudgeSourceFlags, io: CommandProcess): string {
  return join(dataDir ?? findDataFolder("app", { env: io.env }), "cli");
}

async function findFolder(
  flags: JudgeSourceFlags,
  { how, model, batch }: Saving,
  source: JudgeSource,
  io: CommandProcess,
): Promise<string> {
  const judging = [how, source.identify(model), (await hashContent(batch)).sha256];
  return join(findJudgingFolder(flags, io), identifyVerdicts(judging));
}

/** The shortest wait that is shown, in milliseconds. */
const shortestShown = 2_000;

/** An engine whose calls are counted as they are answered, and which says what its server has it wait for. */
function watchCalls(engine: Engine, io: CommandProcess, note: (call: ModelCall) => Promise<void>): Engine {
  let shownUntil = Number.NEGATIVE_INFINITY;
  const onWait = (milliseconds: number) => {
    const now = io.machine.monotonic();
    if (milliseconds < shortestShown || now < shownUntil) return;
    shownUntil = now + milliseconds;
    printError(`Waiting: the server asks to wait ${Math.ceil(milliseconds / 1_000)} s.`, io);
  };
  return {
    ...engine,
    async complete(call) {
      const reply = await engine.complete({ ...call, onWait });
      const body = asObject(reply.body);
      const { prompt, completion, cached_tokens: cached } = readTokens(body.usage);
      if (isAnswered(reply) || prompt !== null) {
        const { model } = call.request;
        const tokens = { promptTokens: prompt, cachedTokens: cached, completionTokens: completion };
        await note({ model, ...tokens, bill: readBill(body) });
      }
      return reply;
    },
  };
}

/** The text of a file, without a byte-order mark. */
async function readSystemMessage(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw describeFileError(error, file);
  });
  return text.replace(/^\ufeff/, "");
}
