import { z } from "zod";
import { type AdapterName, graderSchema } from "#contract";
import type { SecretChoice } from "#main/secrets";
import { accessFlags } from "./access-flags.ts";
import { CliError, exitCodes } from "./cli-error.ts";
import { flag, keepFlags, modelFlags, path, serverLimitFlags, tierFlags, wholeNumber } from "./common-flags.ts";
import { engineChoiceFlags } from "./engine-flags.ts";
import { faultFlags } from "./fault-flags.ts";
import { judgeFlags } from "./judge-flags.ts";
import { deadlineExpected, parseDeadline } from "./parse-deadline.ts";
import { prefixedTableFlags, tableFlags } from "./table-flags.ts";

const longestPace = 600_000;
const paceExpected = `instant, realistic or milliseconds (0 to ${longestPace})`;

/** How fast the mock engine answers: at once, like a hosted model, or after so many milliseconds. */
const pace = z
  .union([z.literal(["instant", "realistic"]), wholeNumber(0, longestPace)], paceExpected)
  .default("instant");

const fastestClock = 1_000_000;
const speedExpected = `a number from 0 (stands still) to ${fastestClock}`;

/** Seconds of the server's clock in one of the machine's. */
const clockSpeed = z
  .string(speedExpected)
  .regex(/^\d{1,7}(\.\d{1,6})?$/, speedExpected)
  .transform(Number)
  .refine((speed) => speed <= fastestClock, speedExpected)
  .default(1);

const port = wholeNumber(0, 65_535);
const modelPortsExpected =
  "ports by ollama, lm-studio, llama-cpp, vllm or ray-serve, such as ollama=11500,llama-cpp=8081";
/** The ports at which the app looks for servers of models, by their presets. */
const modelPorts = z
  .string(modelPortsExpected)
  .regex(/^((ollama|lm-studio|llama-cpp|vllm|ray-serve)=\d{1,5}(,(?=[a-z])|$))+$/, modelPortsExpected)
  .transform((list) =>
    Object.fromEntries(
      list.split(",").map((entry): [string, number] => {
        const [preset = "", at] = entry.split("=");
        return [preset, Number(at)];
      }),
    ),
  )
  .refine((ports) => Object.values(ports).every((at) => at > 0 && at <= 65_535), modelPortsExpected);
const seed = wholeNumber(0, Number.MAX_SAFE_INTEGER).default(1);

const engineFlags = { engine: z.literal("mock", "mock").default("mock"), pace, seed };
/** Listed here and not imported: a command's help must not wait for the service to load. */
export const secretChoices = ["auto", "keychain", "file", "memory"] as const satisfies readonly SecretChoice[];
const storageFlags = {
  dataDir: path.optional(),
  ephemeral: flag,
  adopt: flag,
  durability: z.enum(["always", "second", "never"], "always, second or never").optional(),
  secrets: z.literal(secretChoices, "auto, keychain, file or memory").optional(),
};

/** Which requests of a file are asked, and which pictures go with them. */
const rowFlags = {
  first: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  random: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  sendPictures: path.optional(),
};
/** A moment that is still to come, `now` by the wall clock. */
const deadline = (now: number) =>
  z.string(deadlineExpected).transform((text, { addIssue }) => {
    const moment = parseDeadline(text, now);
    if (moment === null) addIssue(deadlineExpected);
    return moment ?? 0;
  });
const connectionName = z.string("the name of a connection").min(1, "the name of a connection");

export const serveFlags = z.object({
  ...engineFlags,
  ...engineChoiceFlags,
  ...faultFlags,
  ...storageFlags,
  ...modelFlags,
  ...tierFlags,
  ...serverLimitFlags,
  ...keepFlags,
  ...judgeFlags,
  ...accessFlags,
  port: port.default(4747),
  dialect: z.literal(["service", "openai"], "service or openai").default("service"),
  lenient: flag,
  clockSpeed,
  json: flag,
});
export type ServeFlags = z.infer<typeof serveFlags>;

export const webFlags = z.object({
  ...engineFlags,
  ...storageFlags,
  pace: pace.unwrap().default("realistic"),
  port: port.optional(),
  modelPorts: modelPorts.optional(),
  json: flag,
  open: z.boolean().default(true),
});
export type WebFlags = z.infer<typeof webFlags>;

/** The flags of `sheaf run`; a deadline is counted from `now`. */
export const createRunFlags = (now: number) =>
  z.object({
    ...engineFlags,
    ...engineChoiceFlags,
    ...modelFlags,
    ...tierFlags,
    ...rowFlags,
    output: path.optional(),
    errors: path.optional(),
    connection: connectionName.optional(),
    dryRun: flag,
    fresh: flag,
    reuse: flag,
    deadline: deadline(now).optional(),
    dataDir: path.optional(),
    secrets: storageFlags.secrets,
    json: flag,
  });
export type RunFlags = z.infer<ReturnType<typeof createRunFlags>>;

export const submitFlags = z.object({
  ...rowFlags,
  connection: connectionName,
  fresh: flag,
  reuse: flag,
  dataDir: path.optional(),
  secrets: storageFlags.secrets,
  json: flag,
});
export type SubmitFlags = z.infer<typeof submitFlags>;

/** What a batch is built from; the table itself is the command's argument. */
export const buildFlags = z.object({
  prompt: z.string(),
  system: z.string().optional(),
  schema: path.optional(),
  model: z.string().min(1, "the name of a model"),
  id: z.string().min(1, "a column").optional(),
  output: path,
  ...tableFlags,
});
export type BuildFlags = z.infer<typeof buildFlags>;

const exportFormats = ["jsonl", "flat", "csv", "xlsx", "parquet"] as const;

/** The delimiters of CSV files by their names. */
export const delimiterNames = { comma: ",", semicolon: ";", tab: "\t" } as const;

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

export const exportFlags = z.object({
  input: path.optional(),
  table: path.optional(),
  id: z.string().optional(),
  format: z.literal(exportFormats, "jsonl, flat, csv, xlsx or parquet"),
  excel: z.union([flag, z.string().refine(isLocale, "a locale such as de or en-US")]).optional(),
  bom: flag.optional(),
  delimiter: z
    .literal(Object.keys(delimiterNames) as (keyof typeof delimiterNames)[], "comma, semicolon or tab")
    .optional(),
  formulas: z.boolean().optional(),
  output: path,
  json: flag,
  ...prefixedTableFlags,
});
export type ExportFlags = z.infer<typeof exportFlags>;

/** Of `sheaf status`, `fetch`, `cancel` and `retry`, each of which takes those that it needs; a deadline is counted from `now`. */
export const createJobFlags = (now: number) =>
  z.object({
    output: path.optional(),
    errors: path.optional(),
    wait: flag,
    deadline: deadline(now).optional(),
    dataDir: path.optional(),
    secrets: storageFlags.secrets,
    json: flag,
  });
export type JobFlags = z.infer<ReturnType<typeof createJobFlags>>;

/** Of `sheaf resolve`: one of the three. */
export const createResolveFlags = (now: number) =>
  createJobFlags(now).extend({ sendAgain: flag, is: z.string().min(1).optional(), cancel: flag });
export type ResolveFlags = z.infer<ReturnType<typeof createResolveFlags>>;

export const validateFlags = z.object({ ...modelFlags, ...tierFlags, json: flag });
export type ValidateFlags = z.infer<typeof validateFlags>;

/** What is verified and who judges; an engine is needed where a model does. */
export const verifyFlags = z.object({
  ...engineFlags,
  ...engineChoiceFlags,
  ...modelFlags,
  ...judgeFlags,
  prompt: z.string().optional(),
  promptFile: path.optional(),
  response: z.string().optional(),
  responseFile: path.optional(),
  document: path.optional(),
  batch: path.optional(),
  input: path.optional(),
  output: path.optional(),
  systemAsDocument: flag,
  judgeSystem: path.optional(),
  strict: flag,
  json: flag,
});
/** Listed here and not imported, as above. */
const adapterNames = [
  "chat",
  "openai-batch",
  "anthropic-batch",
  "gemini-batch",
] as const satisfies readonly AdapterName[];

const graderNames = graderSchema.options.map(({ shape }) => shape.name.value);
const toleranceExpected = "a number from 0, such as 0.01";

/** What is graded and how; an engine is needed where a model does. */
export const gradeFlags = z.object({
  ...engineFlags,
  ...engineChoiceFlags,
  ...modelFlags,
  batch: path,
  as: z.literal(graderNames, `${graderNames.slice(0, -1).join(", ")} or ${graderNames.at(-1)}`),
  expected: path.optional(),
  id: z.string().optional(),
  column: z.string().optional(),
  tolerance: z
    .string(toleranceExpected)
    .regex(/^(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/, toleranceExpected)
    .transform(Number)
    .optional(),
  path: z.string().min(1, "a path such as $.answer").optional(),
  requests: path.optional(),
  rubric: path.optional(),
  judgeModel: judgeFlags.judgeModel,
  output: path.optional(),
  json: flag,
  ...prefixedTableFlags,
});
export type GradeFlags = z.infer<typeof gradeFlags>;

export type VerifyFlags = z.infer<typeof verifyFlags>;

/** Of all `sheaf connections …`; each takes those that it needs. */
export const connectionFlags = z.object({
  dataDir: path.optional(),
  secrets: storageFlags.secrets,
  adapter: z.literal(adapterNames, `${adapterNames.slice(0, -1).join(", ")} or ${adapterNames.at(-1)}`).optional(),
  url: engineChoiceFlags.upstreamUrl,
  preset: z.string().optional(),
  keyEnv: engineChoiceFlags.upstreamKeyEnv,
  model: engineChoiceFlags.upstreamModel,
  concurrency: engineChoiceFlags.upstreamConcurrency,
  /** The model that a test request is sent to; true for the first that is listed. */
  ask: z.union([z.literal(true), z.string().min(1)]).optional(),
  json: flag,
});
export type ConnectionFlags = z.infer<typeof connectionFlags>;

export const doctorFlags = z.object({ repair: flag, export: path.optional(), json: flag });
export type DoctorFlags = z.infer<typeof doctorFlags>;

export const backupFlags = z.object({ json: flag });
export type BackupFlags = z.infer<typeof backupFlags>;

export type EngineFlags = Pick<ServeFlags, keyof typeof engineFlags | keyof typeof engineChoiceFlags>;
export type ModelFlags = Partial<Pick<ServeFlags, keyof typeof modelFlags>>;
export type TierFlags = Pick<ServeFlags, keyof typeof tierFlags>;
export type StorageFlags = Pick<ServeFlags, keyof typeof storageFlags>;

/** Flags whose values are never repeated: a key, and an address that may have one in it. */
const secretFlags: ReadonlySet<string> = new Set(["apiKey", "upstreamUrl", "url"]);

/** Checks what commander collected. Fails with one sentence about the first wrong flag. */
export function parseFlags<T extends z.ZodType>(schema: T, given: Readonly<Record<string, unknown>>): z.infer<T> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0] ?? "");
  const instead = secretFlags.has(name) ? "" : `, not '${String(given[name])}'`;
  throw new CliError(`--${toKebabCase(name)} expects ${issue?.message}${instead}.`, exitCodes.unusable);
}

function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
