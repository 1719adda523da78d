import { resolve } from "node:path";
import { z } from "zod";
import type { Connection, Preset, TypedPrices } from "#contract";
import {
  ConnectionFileError,
  ConnectionNameError,
  type ConnectionStore,
  createConnectionStore,
  describeMissing,
  missingKeyOf,
  presets,
  staysAt,
  testConnection,
} from "#main/connections";
import { CliError, type ExitCode, exitCodes, withRemedy } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { findDataFolder } from "../data-folder.ts";
import type { ConnectionFlags, ConnectionKeyFlags, ConnectionTestFlags, NewConnectionFlags } from "../job-flags.ts";
import { askUnseen, openSecrets } from "../open-secrets.ts";
import { createCommandLogger } from "../open-service.ts";
import { readKey } from "../read-key.ts";

/** The connections of a data folder, the app's own by default: app and commands share them. */
export async function openConnectionStore(
  { dataDir, secrets }: Pick<ConnectionFlags, "dataDir" | "secrets">,
  io: CommandProcess,
): Promise<ConnectionStore> {
  const folder = dataDir ?? findDataFolder("app", { env: io.env });
  const store = await openSecrets(secrets, { dataDir: folder }, createCommandLogger(io), { io });
  return createConnectionStore(folder, store, io.env);
}

/** `sheaf connections add NAME`: from a preset, or from an adapter and an address. */
export async function addConnection(name: string, flags: NewConnectionFlags, io: CommandProcess): Promise<ExitCode> {
  const preset = findPreset(flags);
  const adapter = flags.adapter ?? preset?.adapter;
  const url = flags.url?.href ?? preset?.url;
  if (adapter === undefined) throw new CliError("Give --preset, or --adapter and --url.", exitCodes.unusable);
  if (url === undefined || url === null) {
    throw new CliError("This needs an address: --url, usually with /v1 at the end.", exitCodes.unusable);
  }
  const store = await openConnectionStore(flags, io);
  const key = await takeKey(name, preset, flags, store, io);
  const connection = await orCliError(() =>
    store.save(
      {
        name,
        adapter,
        preset: preset?.id ?? null,
        url,
        keyVariable: flags.keyEnv ?? null,
        models: Object.fromEntries((flags.model ?? []).map((pair) => splitOnce(pair))),
        concurrency: flags.concurrency ?? preset?.concurrency,
        ...toRoute(flags),
        limits: toLimits(flags),
        ...toPrices(flags),
      },
      key ?? undefined,
    ),
  );
  requireKept(store, connection.name, key);
  if (flags.json) print(JSON.stringify(connection), io);
  else
    printError(`${connection.name} is added. sheaf connections test ${JSON.stringify(connection.name)} tries it.`, io);
  return exitCodes.ok;
}

/** `sheaf connections change NAME`: what is given, of the flags of `add`; the rest stays. */
export async function changeConnection(name: string, flags: NewConnectionFlags, io: CommandProcess): Promise<ExitCode> {
  const store = await openConnectionStore(flags, io);
  const before = await requireConnection(store, name);
  const preset = findPreset(flags);
  const url = flags.url?.href ?? preset?.url ?? before.url;
  const isMoved = !staysAt(url, before.url);
  const key = flags.keyEnv === undefined && !isMoved ? undefined : await takeKey(name, preset, flags, store, io);
  const changed = {
    ...before,
    url,
    adapter: flags.adapter ?? preset?.adapter ?? before.adapter,
    preset: preset?.id ?? before.preset,
    keyVariable: flags.keyEnv ?? before.keyVariable,
    models: { ...before.models, ...Object.fromEntries((flags.model ?? []).map((pair) => splitOnce(pair))) },
    concurrency: flags.concurrency ?? before.concurrency,
    ...toRoute(flags, before),
    limits: toLimits(flags, before.limits),
    ...toPrices(flags, before),
  };
  const connection = await orCliError(() => store.save(changed, key));
  requireKept(store, connection.name, key ?? null);
  if (flags.json) print(JSON.stringify(connection), io);
  else
    printError(
      `${connection.name} is changed. sheaf connections test ${JSON.stringify(connection.name)} tries it.`,
      io,
    );
  return exitCodes.ok;
}

/** `-` takes back what was set. */
function toRoute({ proxy, caFile }: NewConnectionFlags, before?: Connection) {
  return {
    proxy: proxy === undefined ? (before?.proxy ?? null) : proxy,
    caFile: caFile === undefined ? (before?.caFile ?? null) : caFile === "-" ? null : resolve(caFile),
  };
}

type Limits = Connection["limits"];

function toLimits({ maxLines, maxBytes, maxQueuedTokens }: NewConnectionFlags, before?: Limits): Limits {
  return {
    lines: maxLines ?? before?.lines ?? null,
    bytes: maxBytes ?? before?.bytes ?? null,
    tokens: maxQueuedTokens ?? before?.tokens ?? null,
  };
}

/** The prices that are given, by the model, over those from before. */
function toPrices(flags: NewConnectionFlags, before?: Connection) {
  const given = {
    input: flags.priceInput,
    cached: flags.priceCached,
    cacheWrite: flags.priceCacheWrite,
    cacheWrite1h: flags.priceCacheWrite1h,
    output: flags.priceOutput,
    factor: flags.priceFactor,
  };
  /** By the model, null for all others. */
  const amounts = new Map<string | null, Record<string, number>>();
  for (const [kind, list = []] of Object.entries(given)) {
    for (const { model, amount } of list) amounts.set(model, { ...amounts.get(model), [kind]: amount });
  }
  const read = (model: string | null, known: TypedPrices | null) => {
    const { factor: _, ...own } = amounts.get(model) ?? {};
    if (Object.keys(own).length === 0) return known;
    const prices = { ...known, ...own };
    if (prices.input === undefined || prices.output === undefined) {
      const of = model === null ? "" : `${model}=`;
      throw new CliError(`Prices need both: --price-input ${of}USD and --price-output ${of}USD.`, exitCodes.unusable);
    }
    return { cached: null, cacheWrite: null, cacheWrite1h: null, ...prices } as TypedPrices;
  };
  const rows = new Map((before?.modelPrices ?? []).map((row) => [row.model, row]));
  for (const model of amounts.keys()) {
    if (model === null) continue;
    const { prices = null, factor = null } = rows.get(model) ?? {};
    rows.set(model, { model, prices: read(model, prices), factor: amounts.get(model)?.factor ?? factor });
  }
  return {
    prices: read(null, before?.prices ?? null),
    priceFactor: amounts.get(null)?.factor ?? before?.priceFactor ?? null,
    modelPrices: [...rows.values()],
  };
}

/** `sheaf connections list`: never with a key. */
export async function listConnections(flags: ConnectionFlags, io: CommandProcess): Promise<ExitCode> {
  const store = await openConnectionStore(flags, io);
  const connections = await orCliError(() => store.list());
  if (flags.json) {
    print(JSON.stringify(connections), io);
    return exitCodes.ok;
  }
  for (const connection of connections) {
    const missing = missingKeyOf(connection, await store.keyOf(connection));
    const key = missing === null ? "key stored" : missing.variable === null ? "no key" : describeMissing(missing);
    print(`${connection.name}\t${connection.adapter}\t${connection.url}\t${key}`, io);
  }
  if (connections.length === 0) printError("There is no connection yet: sheaf connections add --help", io);
  return exitCodes.ok;
}

/** `sheaf connections test NAME`: one line for each check, with `--ask` what came back for one request; nothing is created. */
export async function tryConnection(name: string, flags: ConnectionTestFlags, io: CommandProcess): Promise<ExitCode> {
  const store = await openConnectionStore(flags, io);
  const connection = await requireConnection(store, name);
  const { ask } = flags;
  const asked = ask === undefined ? undefined : { model: ask === true ? null : ask };
  const parts = { key: await store.keyOf(connection), machine: io.machine, ask: asked };
  const tried = testConnection(connection, parts, new AbortController().signal);
  const report = (await Array.fromAsync(tried)).at(-1) ?? { works: false, checks: [] };
  if (flags.json) print(JSON.stringify(report), io);
  else {
    for (const { what, state, message, details } of report.checks) {
      print(`${marks[state]} ${what}: ${message}`, io);
      if (details !== undefined) print(details, io);
    }
  }
  return report.works ? exitCodes.ok : exitCodes.failed;
}

const marks = { works: "✓", fails: "✗", missing: "–" } as const;

/** `sheaf connections key NAME`: another key for the same connection. */
export async function changeKey(name: string, flags: ConnectionKeyFlags, io: CommandProcess): Promise<ExitCode> {
  const store = await openConnectionStore(flags, io);
  const connection = await requireConnection(store, name);
  const preset = presets.find(({ id }) => id === connection.preset);
  const key = await takeKey(name, preset, flags, store, io);
  await orCliError(() => store.save({ ...connection, keyVariable: flags.keyEnv ?? null }, key));
  requireKept(store, name, key);
  printError(`${connection.name} has another key. sheaf connections test ${JSON.stringify(name)} tries it.`, io);
  return exitCodes.ok;
}

/** `sheaf connections remove NAME`: with its key; the answers of its batches stay. */
export async function removeConnection(name: string, flags: ConnectionFlags, io: CommandProcess): Promise<ExitCode> {
  const store = await openConnectionStore(flags, io);
  const { id } = await requireConnection(store, name);
  await store.remove(id);
  printError(`${name} is removed, with its key.`, io);
  return exitCodes.ok;
}

/** @throws CliError that lists the existing connections */
export async function requireConnection(store: ConnectionStore, name: string): Promise<Connection> {
  const found = await orCliError(() => store.find(name));
  if (found !== undefined) return found;
  const names = (await store.list()).map((connection) => connection.name);
  const known = names.length === 0 ? "There is none yet." : `There are: ${names.join(", ")}.`;
  throw new CliError(`There is no connection called ${name}. ${known}`, exitCodes.unusable);
}

function findPreset({ preset }: NewConnectionFlags): Preset | undefined {
  if (preset === undefined) return undefined;
  const found = presets.find(({ id }) => id === preset);
  if (found !== undefined) return found;
  const ids = presets.map(({ id }) => id).join(", ");
  throw new CliError(`--preset expects one of ${ids}; not '${preset}'.`, exitCodes.unusable);
}

/**
 * The key to store; null where there is none, or a variable holds it, which may be set later.
 * @throws CliError where it can't be used
 */
async function takeKey(
  name: string,
  preset: Preset | undefined,
  { keyEnv }: ConnectionKeyFlags,
  store: ConnectionStore,
  io: CommandProcess,
): Promise<string | null> {
  if (keyEnv === undefined) return await askForKey(name, preset, store, io);
  readKey(io.env[keyEnv], `--key-env: the key in ${keyEnv}`);
  return null;
}

/**
 * A key that is typed without an echo, or the line that is piped in. Null where there is none.
 * @throws CliError where a key is needed, or could not be stored
 */
async function askForKey(
  name: string,
  preset: Preset | undefined,
  { keepsKeys }: ConnectionStore,
  io: CommandProcess,
): Promise<string | null> {
  const isTyped = io.stdin.isTTY && io.stderr.isTTY;
  // A script that adds a server which needs no key may have an input that never ends.
  if (!isTyped && preset?.needsKey === false) return null;
  const typed = isTyped ? askUnseen(`Key of ${name} (Enter for none): `, io) : readFirstLine(io.stdin);
  const key = readKey(await typed, "The key");
  if (key !== null && !keepsKeys) {
    const instead = "Set SHEAF_PASSPHRASE for an encrypted file, or name a variable with --key-env.";
    throw new CliError(`There is no place here that keeps a key. ${instead}`, exitCodes.failed);
  }
  if (key === null && !isTyped && preset?.needsKey) {
    const how = "pipe it in, or name the variable that holds it with --key-env";
    throw new CliError(`${preset.name} needs a key: ${how}.`, exitCodes.unusable);
  }
  return key;
}

/** @throws CliError where a key that was given is gone with this process */
function requireKept({ keepsKeys }: ConnectionStore, name: string, key: string | null): void {
  if (key === null || keepsKeys) return;
  const next = `sheaf connections key ${JSON.stringify(name)} tries it again.`;
  throw new CliError(`The key of ${name} could not be stored. ${next}`, exitCodes.failed);
}

async function readFirstLine(input: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0] ?? "";
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function orCliError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectionNameError) throw new CliError(error.message, exitCodes.unusable);
    if (error instanceof ConnectionFileError) throw new CliError(withRemedy(error), exitCodes.failed);
    if (error instanceof z.ZodError) {
      const issue = error.issues[0];
      throw new CliError(
        `The connection's ${issue?.path.join(".")} is not right: ${issue?.message}.`,
        exitCodes.unusable,
      );
    }
    throw error;
  }
}
