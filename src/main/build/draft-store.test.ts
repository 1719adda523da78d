import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRandomIds, createSystemClock } from "#main/base";
import { commandWrites } from "#main/storage";
import { createDraftStore, type DraftStore } from "./draft-store.ts";

let folder: string;
let drafts: DraftStore;
let notices: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-drafts-"));
  notices = [];
  drafts = createDraftStore({
    folder,
    writeRules: commandWrites,
    model: "m",
    clock: createSystemClock(),
    ids: createRandomIds(),
    notices: { add: ({ code }) => notices.push(code) },
  });
});
afterEach(() => rm(folder, { recursive: true }));

it("a save that was made from an older revision is refused, and changes nothing", async () => {
  const draft = await drafts.create("Reviews");
  const saved = await drafts.save({ ...draft, name: "Theirs" });
  await expect(drafts.save({ ...draft, name: "Mine" })).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining("changed in another window"),
  });
  expect(await drafts.get(draft.id)).toEqual(saved);
  expect(await drafts.save({ ...saved, name: "Mine" })).toMatchObject({ name: "Mine", revision: 2 });
});

it("of two saves at once from the same revision one is stored", async () => {
  const draft = await drafts.create("Reviews");
  const outcomes = await Promise.allSettled([
    drafts.save({ ...draft, name: "One" }),
    drafts.save({ ...draft, name: "Two" }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await drafts.get(draft.id)).toMatchObject({ name: "One", revision: 1 });
});

it("a draft that was stored with a recipe and before drafts had revisions opens, and can be saved", async () => {
  const { id } = await drafts.create("From before");
  const path = join(folder, `${id}.json`);
  const { revision: _, sealed: __, crc: ___, template, ...before } = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...before, recipe: { ...template, temperature: 0.5 } }));
  const opened = await drafts.get(id);
  expect(opened).toMatchObject({ name: "From before", revision: 0, template: { temperature: 0.5 } });
  expect(await drafts.list()).toEqual([opened]);
  expect(await drafts.save({ ...opened, name: "From now" })).toMatchObject({ name: "From now", revision: 1 });
});

it("a draft with a damaged byte is set aside and reported, and the others are there", async () => {
  const [damaged, sound] = [await drafts.create("Reviews"), await drafts.create("Towers")];
  const path = join(folder, `${damaged.id}.json`);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("Reviews", "Rewiews"));
  expect(await drafts.list()).toEqual([sound]);
  expect(await readFile(`${path}.broken`, "utf8")).toContain("Rewiews");
  expect(notices).toEqual(["file_set_aside"]);
});
