import { readdir, rm } from "node:fs/promises";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { readBatchLines } from "../testing/batch-lines.ts";
import { runSheaf, startServer } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const env = { SHEAF_API_KEY: "sk-sheaf-of-this-test", SHEAF_SECRETS: "memory" };
const connect = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: env.SHEAF_API_KEY, maxRetries: 0 });

test("serve and web stop at a lost journal and say how to go on; with --adopt the uploads are there under their ids", async () => {
  const args = ["--data-dir", inFolder("data")];
  const content = readBatchLines().slice(0, 5).join("\n");
  const before = await startServer(args, { env });
  const { files } = connect(before.url);
  const { id } = await files.create({ file: new File([content], "five.jsonl"), purpose: "batch" });
  expect(await before.stop()).toBe(0);
  await rm(inFolder("data/journal.jsonl"));

  for (const command of ["serve", "web"]) {
    const { code, stderr } = await runSheaf([command, "--json", "--port", "0", ...args], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/the journal .*journal\.jsonl is missing\. .*start with --adopt/);
    expect(await readdir(inFolder("data/files"))).toEqual([id]);
  }

  const after = await startServer([...args, "--adopt"], { env });
  expect(await connect(after.url).files.retrieve(id)).toMatchObject({ filename: `${id}.jsonl`, purpose: "batch" });
  expect(await (await connect(after.url).files.content(id)).text()).toBe(content);
  expect(await after.stop()).toBe(0);
});
