import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SheafOptions } from "sheaf/testing";
import { expect, test } from "vitest";
import { spellFlag } from "../main/cli/flag.ts";
import { type ServeFlags, serveFlags } from "../main/cli/server-flags.ts";

/** What the command calls each option. An option without a row here doesn't compile. */
const flagsOf: Readonly<Record<keyof SheafOptions, readonly (keyof ServeFlags)[]>> = {
  apiKey: ["apiKey"],
  auth: ["auth"],
  cors: ["cors"],
  allowHosts: ["allowHost"],
  dialect: ["dialect"],
  tier: ["tier"],
  rateLimit: ["rateLimit"],
  lenient: ["lenient"],
  pace: ["pace"],
  seed: ["seed"],
  rules: ["rules"],
  faults: [],
  webhooks: ["webhook"],
  webhookSecret: ["webhookSecretEnv"],
  clock: ["clockSpeed"],
  models: ["models"],
  anyModel: ["anyModel"],
  fileLimits: ["maxFileBytes", "maxLines", "maxLineBytes"],
  logBodyBytes: ["logBodyBytes"],
};

test("the docs list all options of the helper, each with the flag of the command that does the same", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/testing.md"), "utf8");
  const [, table = ""] = page.split("## Options");
  const rows = [...table.matchAll(/^\| `(\w+)[^|]*\| ([^|]*?) *\|/gm)].map(([, option = "", flags = ""]) => [
    option,
    [...flags.matchAll(/`(--[\w-]+)`/g)].map(([, flag]) => flag),
  ]);
  const wanted = Object.entries(flagsOf).map(([option, flags]) => [
    option,
    flags.map((name) => spellFlag(name, serveFlags[name]).replace(/ .*/, "")),
  ]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(wanted));
});
