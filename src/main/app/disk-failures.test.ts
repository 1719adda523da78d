import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { safe } from "@orpc/client";
import { expect, onTestFinished, test } from "vitest";
import { makeTempDir } from "../service/testing/index.ts";
import { injectDiskFaults } from "../storage/io/testing/inject-disk-faults.ts";
import { type AppFixture, connectPort, openApp, type RpcClient } from "./testing/app-fixture.ts";

const connection = { name: "Elsewhere", adapter: "chat" as const, preset: null, url: "http://127.0.0.1:9/v1" };

async function sendFile(client: RpcClient) {
  const bytes = Buffer.from('{"custom_id":"a"}\n');
  const { id } = await client.files.begin({ bytes: bytes.length });
  await client.files.append({ id, offset: 0, chunk: new Blob([bytes]) });
  return await client.files.store({ id, filename: "in.jsonl" });
}

function connect(fixture: AppFixture, cleanUp = () => {}): RpcClient {
  const { client, leave } = connectPort(fixture.app);
  onTestFinished(async () => {
    cleanUp();
    leave();
    await fixture.close();
  });
  return client;
}

test("on a full disk every change in the app is refused in words, the page is told, and nothing half is kept", async () => {
  const dataDir = await makeTempDir();
  let isFull = false;
  const putBack = await injectDiskFaults(({ name, path }) =>
    isFull && path.startsWith(dataDir) && ["write", "writeFile", "copyFile"].includes(name) ? "ENOSPC" : null,
  );
  const fixture = await openApp({ dataDir });
  const client = connect(fixture, putBack);
  const draft = await client.drafts.create({ connectionId: null });
  const changes = {
    draft: () => client.drafts.save({ ...draft, name: "Changed" }),
    file: () => sendFile(client),
    table: () => client.sources.example({ name: "gsm8k-200" }),
    connection: () => client.connections.save({ connection }),
  };
  const states = await client.app.watchDisk();
  expect(await states.next()).toMatchObject({ value: { failure: null } });
  isFull = true;
  for (const [name, change] of Object.entries(changes)) {
    const { error } = await safe<unknown, Error>(change());
    expect(error, name).toMatchObject({ code: "REFUSED", data: { code: "disk_full", message: /^Disk full: / } });
  }
  expect(await states.next()).toMatchObject({ value: { failure: expect.stringContaining("Disk full") } });
  isFull = false;
  expect(await client.drafts.get({ id: draft.id })).toEqual(draft);
  expect([await client.files.list(), await client.connections.list()]).toEqual([[], []]);
  for (const change of Object.values(changes)) await change();
  expect(JSON.parse(await readFile(join(dataDir, "connections.json"), "utf8"))).toBeTruthy();
});

/** A draft, a table, a connection and the settings of a client: what is in small files beside the journal. */
function listSmallChanges(client: RpcClient) {
  return {
    draft: async () => {
      const draft = await client.drafts.create({ connectionId: null });
      return await client.drafts.save({ ...draft, name: "Changed" });
    },
    table: () => client.sources.example({ name: "gsm8k-200" }),
    connection: () => client.connections.save({ connection, key: "sk-secret" }),
    server: () => client.server.change({ tier: "free" }),
    retention: () => client.storage.setRetention({ days: 30, bytes: null }),
  };
}

test("a small file is on the disk when its change is answered, but for an ephemeral folder", async () => {
  for (const dataDir of [await makeTempDir(), undefined]) {
    let synced: string[] = [];
    const putBack = await injectDiskFaults(({ name, path }) => {
      if (name === "fsync" || name === "fdatasync") synced.push(path);
      return null;
    });
    const fixture = await openApp({ ...(dataDir !== undefined && { dataDir }) });
    const changes = Object.entries(listSmallChanges(connect(fixture, putBack)));
    for (const [name, change] of changes) {
      synced = [];
      await change();
      const paths = synced.map((path) => relative(fixture.dataDir, path));
      if (dataDir === undefined) expect(paths, name).toEqual([]);
      else {
        const file = paths.find((path) => /\.json\.[-0-9a-f]{36}\.tmp$/.test(path)) ?? "";
        expect(paths.slice(paths.indexOf(file)), name).toEqual(
          expect.arrayContaining([file, relative(".", dirname(file))]),
        );
      }
      if (name === "table" && dataDir !== undefined) {
        expect(paths).toEqual(expect.arrayContaining([expect.stringMatching(/content\.part$/), "sources"]));
      }
    }
  }
});

test("in a folder that another process took nothing is changed any more", async () => {
  const dataDir = await makeTempDir();
  const fixture = await openApp({ dataDir });
  const client = connect(fixture);
  const changes = listSmallChanges(client);
  for (const change of Object.values(changes)) await change();
  const [draft] = await client.drafts.list();
  const { id: uploadId } = await client.sources.begin({ name: "t.csv" });
  await writeFile(join(dataDir, "owner"), JSON.stringify({ nonce: "another", pid: 1, socket: "elsewhere" }));
  await expect(fixture.service.sync()).rejects.toMatchObject({ code: "data_dir_lost" });
  const before = await listContents(dataDir);

  const more = {
    ...changes,
    file: () => sendFile(client),
    token: () => client.server.rotate({ name: "mcp_token" }),
    key: () => client.server.rotate({ name: "api_key" }),
    removal: () => client.drafts.remove({ id: draft?.id ?? "" }),
    piece: () => client.sources.append({ id: uploadId, offset: 0, chunk: new Blob(["a,b"]) }),
  };
  for (const [name, change] of Object.entries(more)) {
    const { error } = await safe<unknown, Error>(change());
    expect(error, name).toMatchObject({ code: "REFUSED", data: { code: "data_dir_lost" } });
  }
  await client.verifications.verifyResponse({
    prompt: "1 + 1?",
    response: "3",
    document: null,
    judge: "rules",
    model: null,
  });
  expect(await listContents(dataDir)).toEqual(before);
});

async function listContents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map((path) => readFile(path, "latin1")));
  return Object.fromEntries(files.map((path, at) => [relative(folder, path), contents[at] ?? ""]));
}
