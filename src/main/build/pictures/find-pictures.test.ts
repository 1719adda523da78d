import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRows, type BuildInput } from "#contract";
import { type BuildFixture, checkAll, openBuild, questionTemplate } from "../testing/build-fixture.ts";
import { samplePictures } from "../testing/sample-pictures.ts";

let fixture: BuildFixture;
let root: string;
let input: BuildInput;
const data = `data:image/png;base64,${samplePictures.png.toString("base64")}`;
const messages = [{ role: "user" as const, content: "What is it?", imageColumn: "photo" }];

beforeAll(async () => {
  fixture = await openBuild();
  root = await realpath(await mkdtemp(join(tmpdir(), "sheaf-pictures-")));
  await mkdir(join(root, "photos", "below"), { recursive: true });
  for (const name of ["photos/a.png", "photos/below/b.png"]) await writeFile(join(root, name), samplePictures.png);
  const photos = ["https://example.com/first.png", join(root, "photos/a.png"), join(root, "photos/below/b.png")];
  const { id: sourceId } = await fixture.upload(`photo\n${photos.join("\n")}\n`, "photos.csv");
  input = { sourceId, template: questionTemplate({ messages }) };
});
afterAll(async () => {
  await fixture.close();
  await rm(root, { recursive: true });
});

describe("pictures of this computer", () => {
  it("are not read before their folder is allowed: the check stops there, and nothing is written, tried or sent", async () => {
    const { build, service } = fixture;
    const rows = { ...allRows, skipFaulty: true };
    const refused = expect.objectContaining({
      message: expect.stringContaining("Send pictures from this computer"),
    });
    for (const pictureFolders of [undefined, [join(root, "photos", "below")], [join(root, "phot")]]) {
      const asked = { ...input, rows, ...(pictureFolders && { pictureFolders }) };
      const { last } = await checkAll(build.check(asked));
      expect(last).toMatchObject({ finished: true, blocked: true, promptTokens: 0, requests: 0, bytes: 0 });
      expect(last.groups.map(({ code }) => code)).toEqual(["picture_not_allowed"]);
      const trial = { ...asked, draftId: "draft_1", rows: { take: "last" as const, count: 3 } };
      await expect(Array.fromAsync(build.trial(trial))).rejects.toEqual(refused);
      await expect(Array.fromAsync(build.submit({ ...asked, name: "photos" }))).rejects.toEqual(refused);
      await expect(build.input.writeTo(asked, join(root, "out.jsonl"))).rejects.toEqual(refused);
      await expect(Array.fromAsync(build.input.prepare(asked))).rejects.toEqual(refused);
      const preview = await build.preview(asked, 2);
      expect(preview.request).toContain(join(root, "photos/a.png"));
      expect(preview.request).not.toContain("base64");
      expect(preview).toMatchObject({ promptTokens: null, problems: [{ code: "picture_not_allowed", line: null }] });
    }
    expect((await build.preview(input, 1)).problems).toEqual([]);
    expect(service.batches.list({ limit: 10, trials: true }).batches).toEqual([]);
  });

  it("are sent once their folder is allowed, with those in folders below it", async () => {
    const { build } = fixture;
    const allowed = { ...input, pictureFolders: [join(root, "photos")] };
    const { last } = await checkAll(build.check(allowed));
    expect(last).toMatchObject({ blocked: false, requests: 3, groups: [] });
    expect((await build.preview(allowed, 3)).request).toContain(data);
    const steps = await Array.fromAsync(build.input.prepare(allowed));
    expect(steps.at(-1)?.file).toMatchObject({ lines: 3 });
    await steps.at(-1)?.file?.remove();
  });

  it("are counted by folder without being read, but for the first, which is shown", async () => {
    const { build } = fixture;
    const photos = join(root, "photos");
    const query = { sourceId: input.sourceId, column: "photo" };
    const first = { path: join(photos, "a.png"), url: data, problem: null };
    expect(await build.pictures({ ...query, pictureFolders: [] })).toEqual({
      files: 2,
      addresses: 1,
      folders: [{ path: photos, files: 2, isAllowed: false }],
      first,
    });
    expect(await build.pictures({ ...query, pictureFolders: [root] })).toMatchObject({
      folders: [{ isAllowed: true }],
    });

    const many = Array.from({ length: 40 }, (_, at) => join(root, "sets", String(at), "x.png"));
    for (const path of many) await mkdir(join(path, ".."), { recursive: true });
    await symlink("/dev/zero", many[0] ?? "");
    await symlink(join(root, "sets", "5"), join(root, "other"));
    const other = join(root, "other", "y.png");
    const { id: sourceId } = await fixture.upload(`photo\n${[...many, other].join("\n")}\n`, "many.csv");
    expect(await build.pictures({ sourceId, column: "photo", pictureFolders: [] })).toMatchObject({
      files: 41,
      folders: [{ path: join(root, "sets"), files: 41 }],
      first: { url: null, problem: expect.stringContaining("leads out") },
    });
  });
});
