import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { createMemorySecretStore } from "#main/base";
import { createConnectionStore } from "#main/connections";
import { createMoments } from "../../connections/testing/open-service.ts";
import { services } from "../../connections/testing/services.ts";
import { exitOf, startSheaf } from "../testing/sheaf-process.ts";

const key = "sk-0123456789abcdef";
const lines = 10_000;
const partLines = 4_000;
const kills = 20;
const concurrency = 64;

const lineSchema = z.object({ custom_id: z.string() });

// At the same time: most of it they wait for their services.
test.concurrent.for(Object.keys(services) as (keyof typeof services)[])(
  `sheaf run on %s, killed ${kills} times, has each line once, creates no batch twice, and asks only calls in flight again`,
  async (kind, { onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-jobs-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const inFolder = (name: string) => join(folder, name);
    const begin = performance.now();
    const standIn = await services[kind](key);
    onTestFinished(() => standIn.close());
    const { adapter, preset, url } = standIn;
    const store = createConnectionStore(inFolder("data"), createMemorySecretStore(), {});
    const limits = { lines: partLines, bytes: null };
    await store.save({ name: kind, adapter, preset, url, concurrency, limits, keyVariable: "SOAK_KEY" });
    const ids = Array.from({ length: lines }, (_, at) => `q-${at + 1}`);
    const requests = ids.map((id) => {
      const body = { model: "some-model", max_tokens: 9, messages: [{ role: "user", content: `question ${id}` }] };
      return JSON.stringify({ custom_id: id, method: "POST", url: "/v1/chat/completions", body });
    });
    await writeFile(inFolder("batch.jsonl"), requests.join("\n"));
    const output = inFolder("answers.jsonl");
    const data = ["--data-dir", inFolder("data")];
    const run = () => {
      const args = ["run", inFolder("batch.jsonl"), "-o", output, "--connection", kind, ...data];
      const child = startSheaf(args, { env: { SOAK_KEY: key } });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    for (const [kill, moment] of createMoments(11, kills, 2_500).entries()) {
      const child = run();
      const ended = exitOf(child);
      await Promise.race([wait(moment + 500), ended]);
      child.kill("SIGKILL");
      await ended;
      if (kill > kills / 2) standIn.end();
    }
    const last = run();
    const ending = setInterval(() => standIn.end(), 1_000);
    onTestFinished(() => clearInterval(ending));
    expect(await exitOf(last)).toBe(0);
    const seconds = Math.round((performance.now() - begin) / 1_000);
    process.stdout.write(`\njobs: ${kills} kills of sheaf run on ${kind}, ${seconds} s\n`);
    const answered = (await readFile(output, "utf8")).trimEnd().split("\n");
    expect(answered.map((line) => lineSchema.parse(JSON.parse(line)).custom_id).sort()).toEqual(ids.sort());
    if (kind === "chat") expect(standIn.received.length).toBeLessThanOrEqual(lines + kills * concurrency);
    else expect(standIn.batches.map((batch) => batch.lines)).toEqual([partLines, partLines, lines - 2 * partLines]);
  },
);
