import { z } from "zod";
import { mockServerDefaults, mostConcurrency } from "#contract";
import { flag, inGroup, parseFlags, toggle } from "./flag.ts";
import { address, modelNames, oneOf, path, variable, wholeNumber } from "./flag-types.ts";

const longestPace = 600_000;

/** How fast the mock engine answers: at once, like a hosted model, or after so many milliseconds. */
const paceType = z.union(
  [z.literal(["instant", "realistic"]), wholeNumber(0, longestPace)],
  `instant, realistic or milliseconds (0 to ${longestPace})`,
);
const paceHelp = "speed of the mock: instant, realistic or milliseconds per answer";
const seed = flag(
  "<N>",
  "random seed; the same seed and request give the same answer",
  wholeNumber(0, Number.MAX_SAFE_INTEGER),
  {
    default: mockServerDefaults.seed,
  },
);

/** The heading of the engine flags. Help shows them in one place, `sheaf help engine`. */
export const engineGroup = "Engine:";

/** Which engine answers, and what each of them needs. */
export const engineFlags = inGroup(engineGroup, {
  engine: flag("<NAME>", "answer source", oneOf(["mock", "scripted", "upstream"]), { otherwise: "mock" }),
  pace: flag("<PACE>", paceHelp, paceType, { default: mockServerDefaults.pace }),
  seed,
  rules: flag(
    "<FILE>",
    "rules of the scripted engine, YAML or JSON, read again when the file changes; or a folder of recordings",
    path,
  ),
  replay: flag(
    "<MODE>",
    "strict: a request that no rule matches gets 404, with the nearest rule and the difference",
    z.literal("strict", "strict"),
  ),
  upstreamUrl: flag("<URL>", "base address of an OpenAI-compatible server, usually with /v1 at the end", address, {
    isSecret: true,
  }),
  upstreamKeyEnv: flag("<NAME>", "environment variable that holds the upstream's key", variable, {
    otherwise: "no key",
  }),
  upstreamModel: flag("<FROM=TO>", "the upstream's name for a model, *=TO for all", modelNames),
  upstreamConcurrency: flag("<N>", "requests in flight to the upstream", wholeNumber(1, mostConcurrency), {
    default: 16,
  }),
  upstreamTimeout: flag("<SECONDS>", "longest time of one attempt", wholeNumber(1, 86_400), { default: 600 }),
  upstreamRetries: flag("<N>", "attempts after the first one fails", wholeNumber(0, 100), { default: 5 }),
  upstreamRpm: flag("<N>", "most requests in a minute", wholeNumber(1, 10_000_000), { otherwise: "no cap" }),
  upstreamTpm: flag("<N>", "most tokens in a minute", wholeNumber(1, 10_000_000_000), { otherwise: "no cap" }),
  record: flag("<FILE>", "keep the upstream's answers as rules: in a .jsonl file, or by scope in a folder/", path),
  recordMissing: toggle("answer from the recording, and ask the upstream only where it has no answer"),
});

/** Of commands without these flags: the mock, at once. */
export const engineDefaults = parseFlags(engineFlags, {});

/** The engine of the app at its start: the mock, until another is chosen there. */
export const appEngineFlags = {
  engine: flag("<NAME>", "answer source", z.literal("mock", "mock"), { default: "mock" }),
  pace: flag("<PACE>", paceHelp, paceType, { default: "realistic" }),
  seed,
};
