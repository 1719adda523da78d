import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { findCommand } from "../../../scripts/setup/build.mjs";
import { fileOf, makeTempDir } from "../service/testing/index.ts";

const readySchema = z.object({ url: z.string(), apiKey: z.string() });

test.skipIf(process.platform === "win32")(
  "with 64 handles for all, 50 batches at a time end as ever",
  async () => {
    const dataDir = await makeTempDir();
    const command = [process.execPath, findCommand(), "serve", "--json", "--port", "0", "--data-dir", dataDir];
    const args = ["--secrets", "memory", "--pace", "20"];
    const child = spawn("sh", ["-c", 'ulimit -n 64 && exec "$0" "$@"', ...command, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    });
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const { url, apiKey } = readySchema.parse(JSON.parse(z.string().parse(line)));
    const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
    const file = new File([fileOf(20)], "in.jsonl");
    const { id: input_file_id } = await client.files.create({ file, purpose: "batch" });
    const asked = { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    for (let at = 0; at < 50; at++) await client.batches.create(asked);
    const list = async () => (await client.batches.list({ limit: 50 })).data;
    const hasEnded = async () => (await list()).every(({ status }) => status === "completed");
    await expect.poll(hasEnded, { timeout: 120_000 }).toBe(true);
    for (const { request_counts, output_file_id, error_file_id } of await list()) {
      expect([request_counts, error_file_id]).toEqual([{ total: 20, completed: 20, failed: 0 }, null]);
      const content = await (await client.files.content(output_file_id ?? "")).text();
      expect(content.trimEnd().split("\n")).toHaveLength(20);
    }
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok" });
  },
  180_000,
);
