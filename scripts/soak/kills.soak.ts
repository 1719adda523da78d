import { expect, test } from "vitest";
import { killHosts } from "./kills.ts";
import { createRandom, readSeed } from "./random.ts";
import { closeThreads } from "./service-run.ts";

/** One of each core is used meanwhile. */
const folders = 2;
const killsOfFolder = 60;

test(`serve and web, killed ${folders * killsOfFolder} times, lose nothing, double nothing and change nothing`, async () => {
  const seed = readSeed();
  const begin = performance.now();
  const all = Array.from({ length: folders }, (_, at) => killHosts(createRandom(seed + at), killsOfFolder));
  const problems = (await Promise.all(all)).flat();
  const seconds = Math.round((performance.now() - begin) / 1_000);
  process.stdout.write(
    `\nkills: ${folders * killsOfFolder} kills, ${problems.length} problems, ${seconds} s, SHEAF_SEED=${seed}\n`,
  );
  await closeThreads();
  expect(problems).toEqual([]);
});
