import type { Command } from "commander";
import { z } from "zod";
import { mostConcurrency } from "#contract";
import { path, wholeNumber } from "./common-flags.ts";

const addressExpected = "an address such as http://127.0.0.1:8000/v1, without a user or password in it";

const address = z
  .url({ protocol: /^https?$/, error: addressExpected })
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username === "" && password === "", addressExpected);

const modelsExpected = "NAME=UPSTREAM_NAME, or *=UPSTREAM_NAME for all";

/** Which engine answers, and what each of them needs. */
export const engineChoiceFlags = {
  engine: z.literal(["mock", "scripted", "upstream"], "mock, scripted or upstream").optional(),
  rules: path.optional(),
  upstreamUrl: address.optional(),
  upstreamKeyEnv: z
    .string()
    .regex(/^[A-Za-z_]\w{0,99}$/, "the name of an environment variable")
    .optional(),
  upstreamModel: z.array(z.string().regex(/^[^=]+=.+$/, modelsExpected), modelsExpected).optional(),
  upstreamConcurrency: wholeNumber(1, mostConcurrency).optional(),
  upstreamTimeout: wholeNumber(1, 86_400).optional(),
  upstreamRetries: wholeNumber(0, 100).optional(),
  upstreamRpm: wholeNumber(1, 10_000_000).optional(),
  upstreamTpm: wholeNumber(1, 10_000_000_000).optional(),
  record: path.optional(),
  recordMissing: z.boolean().optional(),
  replay: z.literal("strict", "strict").optional(),
};

/** The flags of `serve` and `run` that choose what answers. */
export function withEngineChoice(command: Command): Command {
  return command
    .optionsGroup("Engine:")
    .option("--engine <NAME>", "what answers: mock, scripted or upstream (default: mock)")
    .option("--pace <PACE>", "of the mock: instant, realistic or milliseconds per answer (default: instant)")
    .option("--seed <N>", "same seed and request, same answer (default: 1)")
    .option(
      "--rules <FILE>",
      "rules of the scripted engine, YAML or JSON, read again when it changes; or a folder of recordings",
    )
    .option("--replay <MODE>", "strict: what no rule matches is 404, with the nearest rule and what differs")
    .option("--upstream-url <URL>", "base address of an OpenAI-compatible server, usually with /v1 at the end")
    .option("--upstream-key-env <NAME>", "environment variable that holds the upstream's key (default: no key)")
    .option("--upstream-model <FROM=TO>", "the upstream's name for a model, *=TO for all; may be repeated", collect)
    .option("--upstream-concurrency <N>", "requests at a time (default: 16)")
    .option("--upstream-timeout <SECONDS>", "longest that one attempt may take (default: 600)")
    .option("--upstream-retries <N>", "attempts after the first that fails (default: 5)")
    .option("--upstream-rpm <N>", "most requests in a minute (default: no cap)")
    .option("--upstream-tpm <N>", "most tokens in a minute (default: no cap)")
    .option("--record <FILE>", "keep what the upstream says as rules, in a .jsonl file, or in a folder/ by scope")
    .option("--record-missing", "answer from the recording, and ask the upstream for what is not in it")
    .optionsGroup("Options:");
}

/** A flag that may be repeated. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}
