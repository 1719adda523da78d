import {
  type AdapterName,
  adapterTable,
  type Connection,
  type ConnectionView,
  connectionSchema,
  type LocalModels,
  mostConcurrency,
  type Preset,
  proxyForm,
} from "#contract";

/** What is in the fields of a connection's form: texts, just as they were typed. */
export interface ConnectionFields {
  readonly name: string;
  readonly url: string;
  /** Empty for the one below the address. */
  readonly mcpUrl: string;
  /** One `ours = theirs` a line. */
  readonly models: string;
  readonly concurrency: string;
  readonly requestsPerMinute: string;
  readonly tokensPerMinute: string;
  readonly mostLines: string;
  readonly mostMegabytes: string;
  readonly mostQueuedTokens: string;
  readonly window: string;
  /** Empty for that of the environment. */
  readonly proxy: string;
  /** Empty for none. */
  readonly caFile: string;
  /** Of all models without prices of their own. */
  readonly priceFactor: string;
  readonly inputPrice: string;
  readonly cachedPrice: string;
  readonly cacheWritePrice: string;
  readonly outputPrice: string;
  readonly modelPrices: readonly ModelPriceFields[];
}

/** The prices of one model, as they were typed. */
export interface ModelPriceFields {
  readonly model: string;
  readonly input: string;
  readonly cached: string;
  readonly cacheWrite: string;
  readonly output: string;
  readonly factor: string;
}

export const emptyModelPrice: ModelPriceFields = {
  model: "",
  input: "",
  cached: "",
  cacheWrite: "",
  output: "",
  factor: "",
};

/** The fields of one line. */
export type TextField = Exclude<keyof ConnectionFields, "modelPrices">;

/** What is wrong with the fields, and with a key or token that was typed. */
export type FieldErrors = Partial<Record<keyof ConnectionFields | "key" | "mcpToken", string>>;

/** What a connection is made to: a service that is known by name, or another one of the same API. */
export interface ServiceChoice {
  readonly id: string;
  readonly label: string;
  readonly preset: Preset | null;
  readonly adapter: AdapterName;
}

/** Of one that is not in the list. */
const otherBatch: ServiceChoice = {
  id: "other",
  label: "Another service with a batch API",
  preset: null,
  adapter: "openai-batch",
};

/** The services to choose from: those on this computer or in the house first. */
export function listServices(
  presets: readonly Preset[],
): { readonly group: string; readonly items: ServiceChoice[] }[] {
  const choices = presets.map(
    (preset): ServiceChoice => ({ id: preset.id, label: preset.name, preset, adapter: preset.adapter }),
  );
  return [
    { group: "Chat servers, called line by line", items: choices.filter(({ adapter }) => adapter === "chat") },
    {
      group: "Batch services",
      items: [...choices.filter(({ adapter }) => adapter !== "chat"), otherBatch],
    },
  ];
}

/** What a connection was made to. One made by hand, or by a preset that is gone, counts as the usual one of its API. */
export function findService(
  presets: readonly Preset[],
  connection: Pick<Connection, "adapter" | "preset">,
): ServiceChoice {
  const { adapter } = connection;
  const choices = listServices(presets).flatMap(({ items }) => items);
  const isOf = (id: string | null) => (choice: ServiceChoice) =>
    choice.adapter === adapter && (choice.preset?.id ?? null) === id;
  const usual = adapterTable[adapter].preset;
  const found = choices.find(isOf(connection.preset)) ?? choices.find(isOf(usual));
  return found ?? { id: usual, label: usual, preset: null, adapter };
}

const megabyte = 1_000_000;

/** The fields of a new connection to a service, with what is known of it. */
export function fieldsOfService({ preset }: ServiceChoice, takenNames: readonly string[]): ConnectionFields {
  return {
    ...emptyFields,
    name: preset?.url == null ? "" : findFreeName(preset.name, takenNames),
    url: preset?.url ?? "",
    concurrency: String(preset?.concurrency ?? 8),
    window: preset?.windows[0] ?? "24h",
  };
}

/** What a server that was found on this computer is called. */
export function nameOfLocal({ preset, url }: LocalModels, presets: readonly Preset[]): string {
  const known = presets.find(({ id, url: usual }) => id === preset && usual !== null);
  return known?.name ?? `Chat server at ${new URL(url).host}`;
}

/** The fields of a new connection to a server that was found on this computer. */
export function fieldsOfLocal(
  found: LocalModels,
  presets: readonly Preset[],
  takenNames: readonly string[],
): ConnectionFields {
  const preset = presets.find(({ id }) => id === found.preset);
  return {
    ...emptyFields,
    name: findFreeName(nameOfLocal(found, presets), takenNames),
    url: found.url,
    concurrency: String(preset?.concurrency ?? 8),
  };
}

/** A new connection to a server that was found on this computer. */
export function connectionOfLocal(
  found: LocalModels,
  presets: readonly Preset[],
  takenNames: readonly string[],
): Omit<Connection, "id"> {
  const { name, url, concurrency } = fieldsOfLocal(found, presets, takenNames);
  const parts = { name, url, concurrency: Number(concurrency), adapter: "chat", preset: found.preset };
  return connectionSchema.omit({ id: true }).parse(parts);
}

const emptyFields: ConnectionFields = {
  name: "",
  url: "",
  mcpUrl: "",
  models: "",
  concurrency: "8",
  requestsPerMinute: "",
  tokensPerMinute: "",
  mostLines: "",
  mostMegabytes: "",
  mostQueuedTokens: "",
  window: "24h",
  proxy: "",
  caFile: "",
  priceFactor: "",
  inputPrice: "",
  cachedPrice: "",
  cacheWritePrice: "",
  outputPrice: "",
  modelPrices: [],
};

function findFreeName(wanted: string, taken: readonly string[]): string {
  const short = wanted.split(/[,(]/)[0]?.trim() ?? wanted;
  for (let number = 1; ; number++) {
    const name = number === 1 ? short : `${short} ${number}`;
    if (!taken.includes(name)) return name;
  }
}

const toText = (value: number | null | undefined) => (value == null ? "" : String(value));

/** The fields of a connection that there is already. */
export function fieldsOfConnection(connection: ConnectionView): ConnectionFields {
  const { limits, prices } = connection;
  return {
    name: connection.name,
    url: connection.url,
    mcpUrl: connection.mcpUrl ?? "",
    models: Object.entries(connection.models)
      .map(([ours, theirs]) => `${ours} = ${theirs}`)
      .join("\n"),
    concurrency: String(connection.concurrency),
    requestsPerMinute: toText(connection.requestsPerMinute),
    tokensPerMinute: toText(connection.tokensPerMinute),
    mostLines: toText(limits.lines),
    mostMegabytes: toText(limits.bytes === null ? null : limits.bytes / megabyte),
    mostQueuedTokens: toText(limits.tokens),
    window: connection.window,
    proxy: connection.proxy ?? "",
    caFile: connection.caFile ?? "",
    priceFactor: toText(connection.priceFactor),
    inputPrice: toText(prices?.input),
    cachedPrice: toText(prices?.cached),
    cacheWritePrice: toText(prices?.cacheWrite),
    outputPrice: toText(prices?.output),
    modelPrices: connection.modelPrices.map((row) => ({
      model: row.model,
      input: toText(row.prices?.input),
      cached: toText(row.prices?.cached),
      cacheWrite: toText(row.prices?.cacheWrite),
      output: toText(row.prices?.output),
      factor: toText(row.factor),
    })),
  };
}

/** The connection that the fields describe, or what is wrong with which of them. */
export function readConnectionFields(
  fields: ConnectionFields,
  {
    preset,
    adapter,
    ...before
  }: Pick<Connection, "preset" | "adapter"> & Partial<Pick<Connection, "prices" | "modelPrices">>,
): { readonly connection: Omit<Connection, "id" | "keyVariable" | "learned"> } | { readonly errors: FieldErrors } {
  const errors: { -readonly [Field in keyof FieldErrors]: FieldErrors[Field] } = {};

  function number(field: TextField, range: NumberRange): number | null {
    const read = readNumber(fields[field], range);
    if (typeof read === "string") errors[field] = read;
    return typeof read === "number" ? read : null;
  }

  const name = fields.name.trim();
  if (name === "") errors.name = "A name tells it from others.";
  else if (name.length > longestName) errors.name = `At most ${longestName} characters.`;
  const url = fields.url.trim();
  const urlError = explainAddress(url);
  if (urlError !== null) errors.url = urlError;
  const mcpUrl = fields.mcpUrl.trim();
  const mcpUrlError = mcpUrl === "" ? null : explainAddress(mcpUrl);
  if (mcpUrlError !== null) errors.mcpUrl = mcpUrlError;
  const models = readModels(fields.models);
  if (typeof models === "string") errors.models = models;
  const concurrency = number("concurrency", { least: 1, most: mostConcurrency, isWhole: true });
  if (concurrency === null) errors.concurrency ??= `From 1 to ${mostConcurrency.toLocaleString("en")}.`;
  const bytes = number("mostMegabytes", { least: 0.001 });
  const input = number("inputPrice", { least: 0 });
  const output = number("outputPrice", { least: 0 });
  const cached = number("cachedPrice", { least: 0 });
  const cacheWrite = number("cacheWritePrice", { least: 0 });
  const priceFields = ["inputPrice", "cachedPrice", "cacheWritePrice", "outputPrice"] as const;
  const hasPrices = priceFields.some((field) => fields[field].trim() !== "");
  if (hasPrices && input === null) errors.inputPrice ??= bothPrices;
  if (hasPrices && output === null) errors.outputPrice ??= bothPrices;
  const modelPrices = readModelPrices(fields.modelPrices, before.modelPrices ?? []);
  if (typeof modelPrices === "string") errors.modelPrices = modelPrices;
  const window = fields.window.trim();
  if (window === "") errors.window = "Most services take 24h.";
  const proxy = fields.proxy.trim();
  if (proxy !== "" && !proxyForm.test(proxy)) {
    errors.proxy = proxy.includes("@")
      ? "No password here. Put this proxy into the variable HTTPS_PROXY."
      : "Enter http://HOST:PORT or socks5://HOST:PORT.";
  }
  const caFile = fields.caFile.trim();
  const connection = {
    name,
    adapter,
    preset,
    url,
    mcpUrl: mcpUrl === "" ? null : mcpUrl,
    models: typeof models === "string" ? {} : models,
    concurrency: concurrency ?? 1,
    requestsPerMinute: number("requestsPerMinute", { least: 1, isWhole: true }),
    tokensPerMinute: number("tokensPerMinute", { least: 1, isWhole: true }),
    limits: {
      lines: number("mostLines", { least: 1, isWhole: true }),
      bytes: bytes === null ? null : Math.round(bytes * megabyte),
      tokens: number("mostQueuedTokens", { least: 1, isWhole: true }),
    },
    window,
    proxy: proxy === "" ? null : proxy,
    caFile: caFile === "" ? null : caFile,
    priceFactor: number("priceFactor", factorRange),
    // The form has no field for what is kept in the cache for an hour: it stays what it is.
    prices:
      input === null || output === null
        ? null
        : { input, output, cached, cacheWrite, cacheWrite1h: before.prices?.cacheWrite1h ?? null },
    modelPrices: typeof modelPrices === "string" ? [] : modelPrices,
  };
  return Object.keys(errors).length > 0 ? { errors } : { connection };
}

const longestName = 64;
const bothPrices = "Type both prices, or neither.";
const factorRange = { least: 0.01, most: 10 };

/** A sentence where something is wrong. Rows without a model and a price are left out. */
function readModelPrices(
  rows: readonly ModelPriceFields[],
  before: Connection["modelPrices"],
): Connection["modelPrices"] | string {
  const read: Connection["modelPrices"] = [];
  for (const row of rows) {
    const model = row.model.trim();
    if (Object.values(row).every((text) => text.trim() === "")) continue;
    if (model === "") return "Name the model that these prices are of.";
    if (read.some((other) => other.model === model)) return `${model} has two rows: leave one out.`;
    const numbers: { -readonly [Key in Exclude<keyof ModelPriceFields, "model">]?: number | null } = {};
    for (const key of ["input", "cached", "cacheWrite", "output", "factor"] as const) {
      const found = readNumber(row[key], key === "factor" ? factorRange : { least: 0 });
      if (typeof found === "string") return `${model}: ${found}`;
      numbers[key] = found;
    }
    const { input = null, cached = null, cacheWrite = null, output = null, factor = null } = numbers;
    const isPriced = [input, cached, cacheWrite, output].some((price) => price !== null);
    if (isPriced && (input === null || output === null)) return `${model}: ${bothPrices}`;
    const { cacheWrite1h = null } = before.find((other) => other.model === model)?.prices ?? {};
    const prices = input === null || output === null ? null : { input, output, cached, cacheWrite, cacheWrite1h };
    read.push({ model, prices, factor });
  }
  return read;
}

function explainAddress(url: string): string | null {
  if (url === "") return "Where the server is, usually with /v1 at the end.";
  if (!/^https?:\/\//i.test(url)) return "It begins with http:// or https://.";
  if (URL.canParse(url) && new URL(url).username !== "") return "The key has a field of its own: leave it out here.";
  return connectionSchema.shape.url.safeParse(url).success ? null : "This is no address.";
}

function readModels(text: string): Record<string, string> | string {
  const models: Record<string, string> = {};
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const [ours = "", theirs = "", ...more] = line.split("=").map((part) => part.trim());
    if (ours === "" || theirs === "" || more.length > 0)
      return `Line ${at + 1} is not of the form “name = their name”.`;
    models[ours] = theirs;
  }
  return models;
}

interface NumberRange {
  readonly least: number;
  readonly most?: number;
  readonly isWhole?: boolean;
}

/** A number as people write it; null for nothing, and a sentence for text that is no number. */
export function readNumber(text: string, { least, most, isWhole = false }: NumberRange): number | null | string {
  const typed = text.trim();
  if (typed === "") return null;
  const grouped = /^\d{1,3}([,\s_]\d{3})+$/.test(typed) ? typed.replaceAll(/[,\s_]/g, "") : typed;
  if (/^\d+,\d+$/.test(grouped)) return `Write it with a point: ${grouped.replace(",", ".")}`;
  const value = /^-?\d+(\.\d+)?$/.test(grouped) ? Number(grouped) : Number.NaN;
  if (Number.isNaN(value)) return "This is no number.";
  if (isWhole && !Number.isInteger(value)) return "A whole number.";
  if (value >= least && (most === undefined || value <= most)) return value;
  const show = (bound: number) => bound.toLocaleString("en", { maximumFractionDigits: 6 });
  return most === undefined ? `${show(least)} or more.` : `From ${show(least)} to ${show(most)}.`;
}

/** How lines are answered, in a few words. */
export function describeAdapter(adapter: AdapterName): string {
  return adapterTable[adapter].words;
}
