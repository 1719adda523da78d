import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { fileOf, makeTempDir, openTestService } from "../service/testing/index.ts";
import { createHttpApp } from "./app.ts";

const headers = { authorization: "Bearer sk-sheaf-test-0123456789abcdef" };

async function startServer(dataDir: string) {
  const service = await openTestService({ dataDir });
  const app = createHttpApp({ service, apiKey: "sk-sheaf-test-0123456789abcdef" });
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { service, get: (path: string, init: RequestInit = {}) => fetch(url + path, { headers, ...init }) };
}

test("the content of an output file that is lost is answered with an error, and the connection stays", async () => {
  const dataDir = await makeTempDir();
  const { service, get } = await startServer(dataDir);
  const { outputFileId } = await service.run(fileOf(1));
  await rm(join(dataDir, "files", outputFileId ?? ""));
  for (const init of [{}, { headers: { ...headers, range: "bytes=0-3" } }]) {
    const response = await get(`/v1/files/${outputFileId}/content`, init);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "not_found", param: "file_id" } });
  }
  const head = await get(`/v1/files/${outputFileId}/content`, { method: "HEAD" });
  expect(head.status).toBe(404);
});

test("/health has what was amiss with the data folder by code and count only", async () => {
  const dataDir = await makeTempDir();
  await (await openTestService({ dataDir })).close();
  await writeFile(join(dataDir, "files", "file-1"), "x");
  const { get } = await startServer(dataDir);
  const response = await get("/health", { headers: {} });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok", notices: [{ code: "files_quarantined", count: 1 }] });
});

test("a batch is in its scope again after a restart", async () => {
  const dataDir = await makeTempDir();
  const owner = { scope: "mine", vendor: "openai" } as const;
  const first = await openTestService({ dataDir });
  const upload = await first.files.receive(Readable.from([Buffer.from(fileOf(1))]), { owner });
  const { id: inputFileId } = await upload.store({ filename: "in.jsonl", purpose: "batch" });
  const create = { inputFileId, endpoint: "/v1/chat/completions", completionWindow: "24h", owner };
  const { outputFileId } = await first.batches.settled((await first.batches.create(create)).id);
  await first.close();
  const { get } = await startServer(dataDir);
  const idsIn = async (scope: string, path: string) => {
    const response = await get(`/scope/${scope}/v1/${path}`);
    return listSchema.parse(await response.json()).data.map(({ id }) => id);
  };
  expect((await idsIn("mine", "files")).toSorted()).toEqual([inputFileId, outputFileId].toSorted());
  expect([await idsIn("mine", "batches"), await idsIn("other", "batches")]).toMatchObject([[expect.any(String)], []]);
});

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
