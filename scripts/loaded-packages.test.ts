import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";

/** What indexes may load: small packages that nearly every start uses. All others are imported when they are first used. */
const light: readonly RegExp[] = [
  /^zod$/,
  // The RPC, between the page and its host and between threads.
  /^@orpc\//,
  /^radash$/,
  // Server-sent events of engines.
  /^eventsource-parser$/,
  // Rules of the scripted engine are checked as they are read.
  /^re2js$/,
  // XLSX of exports: a zip writer without dependencies of weight.
  /^(yazl|buffer-crc32)$/,
  // One function: which name is meant by a misspelled one.
  /^leven$/,
  // Reads headers only: the sizes of pictures, while prompts are counted.
  /^image-size$/,
  // The command line, and the browser's host.
  /^(commander|ws)$/,
];

test("the index of a room loads no heavy package", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/loaded-packages.mjs"]);
  const loaded = z.record(z.string(), z.array(z.string())).parse(JSON.parse(stdout));
  expect(Object.keys(loaded).length).toBeGreaterThan(20);
  const heavy = Object.entries(loaded).flatMap(([room, packages]) =>
    packages.filter((name) => !light.some((one) => one.test(name))).map((name) => `${room}: ${name}`),
  );
  expect(heavy).toEqual([]);
});
