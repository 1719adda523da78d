import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { safe } from "@orpc/client";
import { expect, onTestFinished, test } from "vitest";
import { injectDiskFaults } from "../service/io/testing/inject-disk-faults.ts";
import { makeTempDir } from "../service/testing/index.ts";
import { connectPort, openApp } from "./testing/app-fixture.ts";

test("on a full disk every change in the app is refused in words, the page is told, and nothing half is kept", async () => {
  const dataDir = await makeTempDir();
  let isFull = false;
  const putBack = await injectDiskFaults(({ name, path }) =>
    isFull && path.startsWith(dataDir) && ["write", "writeFile", "copyFile"].includes(name) ? "ENOSPC" : null,
  );
  const fixture = await openApp({ dataDir });
  const { client, leave } = connectPort(fixture.app);
  onTestFinished(async () => {
    putBack();
    leave();
    await fixture.close();
  });
  const draft = await client.drafts.create({ connectionId: null });
  const bytes = Buffer.from('{"custom_id":"a"}\n');
  const sendFile = async () => {
    const { id } = await client.files.begin({ bytes: bytes.length });
    await client.files.append({ id, offset: 0, chunk: new Blob([bytes]) });
    return await client.files.store({ id, filename: "in.jsonl" });
  };
  const connection = { name: "Elsewhere", adapter: "chat" as const, preset: null, url: "http://127.0.0.1:9/v1" };
  const changes = {
    draft: () => client.drafts.save({ ...draft, name: "Changed" }),
    file: sendFile,
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
