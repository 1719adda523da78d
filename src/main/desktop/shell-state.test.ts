import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createSilentLogger } from "#main/base";
import { makeTempDir } from "../service/testing/index.ts";
import { openShellState } from "./shell-state.ts";

const open = (path: string) => openShellState(path, createSilentLogger());

it("keeps what was changed, the last of it too", async () => {
  const folder = join(await makeTempDir(), "profile");
  const path = join(folder, "shell.json");
  const state = await open(path);
  for (let step = 0; step < 20; step++) state.change({ recentFiles: [`/${step}.csv`] });
  state.change({ theme: "dark" });
  await state.written();
  expect((await open(path)).get()).toMatchObject({ theme: "dark", recentFiles: ["/19.csv"], keepsAwake: true });
  await rm(folder, { recursive: true });
});

it("is as at the first start where its file can't be read, and takes the parts of it that can", async () => {
  const path = join(await makeTempDir(), "shell.json");
  const first = (await open(path)).get();
  for (const content of ["", "[]", '{"theme":"blue","zoom":99,"recentFiles":[1],"isInTray":"yes"}']) {
    await writeFile(path, content);
    expect((await open(path)).get(), content).toEqual(first);
  }
  await writeFile(path, '{"theme":"dark","zoom":"large"}');
  expect((await open(path)).get()).toEqual({ ...first, theme: "dark" });
});

it("goes on where its file can't be written", async () => {
  const file = join(await makeTempDir(), "file");
  await writeFile(file, "");
  const state = await open(join(file, "shell.json"));
  state.change({ zoom: 2 });
  await state.written();
  expect(state.get().zoom).toBe(2);
});
