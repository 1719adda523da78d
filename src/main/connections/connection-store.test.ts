import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createMemorySecretStore, type SecretStore } from "#main/base";
import {
  ConnectionFileError,
  ConnectionNameError,
  type ConnectionStore,
  createConnectionStore,
} from "./connection-store.ts";

let folder: string;
let secrets: SecretStore;
let store: ConnectionStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-connections-"));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  await rm(join(folder, "connections.json"), { force: true });
  secrets = createMemorySecretStore();
  store = createConnectionStore(folder, secrets, { MY_KEY: "sk-of-the-variable" });
});

const ollama = { name: "Ollama", adapter: "chat", preset: "ollama", url: "http://127.0.0.1:11434/v1" } as const;

it("keeps connections in a file of the user's alone, and keys elsewhere", async () => {
  const saved = await store.save(ollama, "sk-secret");
  expect(await store.list()).toEqual([saved]);
  expect(await store.find("Ollama")).toEqual(saved);
  expect(await store.keyOf(saved)).toBe("sk-secret");
  const path = join(folder, "connections.json");
  expect(await readFile(path, "utf8")).not.toContain("sk-secret");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const other = createConnectionStore(folder, secrets, {});
  expect(await other.find(saved.id)).toEqual(saved);
});

it("keeps all that several processes add at the same time", async () => {
  const names = Array.from({ length: 8 }, (_, at) => `Ollama ${at}`);
  const add = (name: string) => createConnectionStore(folder, secrets, {}).save({ ...ollama, name });
  await Promise.all(names.map(add));
  expect((await store.list()).map(({ name }) => name).sort()).toEqual(names);
});

it("drops a key with the address that it was for, and with the connection", async () => {
  const saved = await store.save(ollama, "sk-secret");
  const renamed = await store.save({ ...saved, name: "Mine" });
  expect(await store.keyOf(renamed)).toBe("sk-secret");
  const moved = await store.save({ ...saved, url: "http://127.0.0.1:9/v1" });
  expect(await store.keyOf(moved)).toBeNull();
  await store.save(moved, "sk-other");
  expect(await store.remove(saved.id)).toBe(true);
  expect(await store.remove(saved.id)).toBe(false);
  expect(await secrets.get(`connection:${saved.id}`)).toBeNull();
  expect(await store.list()).toEqual([]);
});

it("takes a key from the variable that it names", async () => {
  const saved = await store.save({ ...ollama, keyVariable: "MY_KEY" });
  expect(await store.keyOf(saved)).toBe("sk-of-the-variable");
  expect(await readFile(join(folder, "connections.json"), "utf8")).not.toContain("sk-of");
  expect(await store.keyOf({ ...saved, keyVariable: "NOT_SET" })).toBeNull();
});

it("refuses a second one of the same name, and addresses that are none or have a password in them", async () => {
  await store.save(ollama);
  await expect(store.save(ollama)).rejects.toThrow(ConnectionNameError);
  for (const url of ["ftp://a/", "127.0.0.1:80", "http://me:secret@127.0.0.1/v1"]) {
    await expect(store.save({ ...ollama, name: "B", url })).rejects.toThrow();
  }
  expect(await store.list()).toHaveLength(1);
});

it("says which connection was changed", async () => {
  const heard: string[] = [];
  const stop = store.subscribe((id) => heard.push(id));
  const { id } = await store.save(ollama);
  await store.remove(id);
  stop();
  await store.save(ollama);
  expect(heard).toEqual([id, id]);
});

it("leaves a file that it can't read as it is", async () => {
  await writeFile(join(folder, "connections.json"), "{");
  await expect(store.list()).rejects.toThrow(ConnectionFileError);
  await expect(store.save(ollama)).rejects.toThrow(ConnectionFileError);
  expect(await readFile(join(folder, "connections.json"), "utf8")).toBe("{");
});
