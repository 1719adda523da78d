import { dialectNameSchema, type MockServerSettings, mockServerDefaults } from "#contract";
import { accessFlags } from "./access-flags.ts";
import { appEngineFlags, engineFlags } from "./engine-flags.ts";
import { faultFlags } from "./fault-flags.ts";
import { type Flag, type FlagsOf, type FlagTable, flag, inGroup, negation, toggle } from "./flag.ts";
import { age, clockSpeed, modelPorts, oneOf, repeated, size, text, wholeNumber } from "./flag-types.ts";
import { judgeFlags } from "./judge-flags.ts";
import { modelFlags, storageFlags, tierFlags } from "./shared-flags.ts";

const port = wholeNumber(0, 65_535);
const variableName = text("the name of an environment variable");
const portHelp = "port to listen on, 0 for any free one";

/** Of `sheaf serve`. */
export const serveFlags = {
  port: flag("<N>", portHelp, port, { default: mockServerDefaults.port }),
  ...accessFlags,
  dialect: flag("<NAME>", "response format", oneOf(dialectNameSchema.options), {
    default: mockServerDefaults.dialect,
  }),
  lenient: toggle(
    "accept requests that the API rejects: invalid strict schemas, unknown fields, web_search and its like",
  ),
  clockSpeed: flag("<X>", "clock speed: 1 is real time, 0 is stopped", clockSpeed, {
    default: mockServerDefaults.clockSpeed,
  }),
  ...modelFlags,
  ...tierFlags,
  rateLimit: negation("lift the limits of direct calls: requests per minute, and requests in flight"),
  maxFileBytes: flag("<N>", "largest upload", wholeNumber(1, 100_000_000_000), {
    default: mockServerDefaults.maxFileBytes,
  }),
  maxLines: flag("<N>", "most requests of a batch", wholeNumber(1, 10_000_000), {
    default: mockServerDefaults.maxLines,
  }),
  maxLineBytes: flag("<N>", "largest request of a batch", wholeNumber(1, 256_000_000), {
    default: mockServerDefaults.maxLineBytes,
  }),
  logBodyBytes: flag("<N>", "most bytes of bodies that the request log keeps", wholeNumber(0, 10_000_000_000), {
    default: mockServerDefaults.logBodyBytes,
  }),
  keep: flag("<AGE>", "delete ended batches and unused files after 12h, 30d or 8w", age, { otherwise: "keep all" }),
  keepSize: flag("<SIZE>", "delete the oldest of these while all files take more, such as 20gb", size, {
    otherwise: "keep all",
  }),
  ...storageFlags,
  json: toggle('print one JSON object first: {"url", "apiKey", "pid"}, and with --webhook "webhookSecret"'),
  webhook: flag("<URL>", "where on this machine to send signed events when batches end", repeated(/./, "an address"), {
    default: [],
  }),
  webhookSecretEnv: flag("<NAME>", "environment variable with the secret of their signature", variableName, {
    otherwise: "a new secret",
  }),
  ...inGroup("Judge for MCP clients (the engine answers for its model):", judgeFlags),
  ...engineFlags,
  ...faultFlags,
} satisfies FlagTable & Record<keyof MockServerSettings, Flag>;
export type ServeFlags = FlagsOf<typeof serveFlags>;

/** Of `sheaf web`. */
export const webFlags = {
  port: flag("<N>", portHelp, port, { otherwise: "4700 or the next free one" }),
  ...appEngineFlags,
  ...storageFlags,
  modelPorts: flag("<LIST>", "where to look for local models: ollama=11500,llama-cpp=8081", modelPorts),
  open: negation("print the address, open nothing"),
  json: toggle('print one JSON object first and open nothing: {"url", "pid"}'),
};
export type WebFlags = FlagsOf<typeof webFlags>;
