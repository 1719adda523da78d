import { execFileSync } from "node:child_process";
import { link, mkdir, mkdtemp, realpath, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { enlargePng, samplePictures } from "../testing/sample-pictures.ts";
import { readPicture } from "./read-picture.ts";
import { recognizePicture } from "./recognize-picture.ts";

let root: string;
let folder: string;
let outside: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "sheaf-pictures-")));
  folder = join(root, "allowed");
  outside = join(root, "allowed-not");
  await mkdir(join(folder, "below"), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, "private.png"), samplePictures.png);
});
afterAll(() => rm(root, { recursive: true }));

async function add(name: string, content: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const read = (path: string) => readPicture(path, [folder]);

it("recognizes a picture by its structure from the first byte to the last, and leaves out what is behind it", () => {
  for (const [name, bytes] of Object.entries(samplePictures)) {
    const found = { type: `image/${name}`, end: bytes.length };
    expect(recognizePicture(bytes)).toEqual(found);
    expect(recognizePicture(Buffer.concat([bytes, Buffer.from("PK\x03\x04 and more")]))).toEqual(found);
    for (let end = 0; end < bytes.length; end++) {
      const isWithoutTrailer = name === "gif" && end === bytes.length - 1;
      if (!isWithoutTrailer) expect(recognizePicture(bytes.subarray(0, end)), `${name} to ${end}`).toBeNull();
    }
    const private_ = Buffer.concat([bytes.subarray(0, 16), Buffer.from("-----BEGIN PRIVATE KEY-----\n".repeat(40))]);
    expect(recognizePicture(private_), `a key that begins as ${name}`).toBeNull();
  }
  const large = enlargePng(samplePictures.png, 1_000);
  expect(recognizePicture(large)).toEqual({ type: "image/png", end: large.length });
});

it("reads a picture in the folder and below it, and none elsewhere", async () => {
  const url = `data:image/gif;base64,${samplePictures.gif.toString("base64")}`;
  const found = { url, bytes: samplePictures.gif.length };
  const path = await add("below/dot.gif", Buffer.concat([samplePictures.gif, Buffer.from("private")]));
  expect(read(path)).toEqual(found);
  expect(read(path), "from memory").toEqual(found);
  expect(readPicture(path, [])).toEqual({ notAllowed: join(folder, "below") });
  expect(read(join(outside, "private.png"))).toEqual({ notAllowed: outside });
  expect(read(join(outside, "gone.png"))).toEqual({ notAllowed: outside });
  expect(read(join(folder, "gone.png"))).toMatchObject({ problem: expect.stringContaining("Is it still there?") });
  await add("dot.gif", samplePictures.gif);
  await symlink(join(folder, "dot.gif"), join(folder, "inside.gif"));
  expect(read(join(folder, "inside.gif"))).toEqual(found);
});

it("follows no link out of the folder, whenever it was put there", async () => {
  await symlink(join(outside, "private.png"), join(folder, "link.png"));
  await symlink(outside, join(folder, "way"));
  const leadsOut = { problem: expect.stringContaining("leads out of the folders") };
  expect(read(join(folder, "link.png"))).toEqual(leadsOut);
  expect(read(join(folder, "way", "private.png"))).toEqual({ notAllowed: outside });
  await link(join(outside, "private.png"), join(folder, "same.png"));
  expect(read(join(folder, "same.png")), "a name of its own in the folder").toMatchObject({
    bytes: expect.any(Number),
  });

  const moved = join(root, "moved");
  await mkdir(moved);
  await writeFile(join(moved, "private.png"), samplePictures.png);
  expect(readPicture(join(moved, "private.png"), [moved])).toMatchObject({ bytes: expect.any(Number) });
  await rename(moved, join(root, "moved-away"));
  await symlink(outside, moved);
  expect(readPicture(join(moved, "private.png"), [moved])).toEqual({ notAllowed: outside });
});

it.skipIf(process.platform === "win32")("waits for no pipe, and reads nothing that is no file", async () => {
  execFileSync("mkfifo", [join(folder, "pipe.png")]);
  await symlink("/dev/zero", join(folder, "zero.png"));
  await mkdir(join(folder, "folder.png"));
  const isNoFile = { problem: expect.stringContaining("it is no file") };
  expect(read(join(folder, "pipe.png"))).toEqual(isNoFile);
  expect(read(join(folder, "folder.png"))).toEqual(isNoFile);
  expect(read(join(folder, "zero.png"))).toEqual({ problem: expect.stringContaining("leads out") });
  expect(readPicture("/dev/zero", ["/dev"])).toEqual(isNoFile);
});

it("reads no more than 11 MB, and nothing that only begins as a picture", async () => {
  const large = await add("large.png", samplePictures.png);
  await truncate(large, 11_000_001);
  expect(read(large)).toEqual({ problem: `The picture ${large} has more than 11 MB.` });
  const most = await add("most.png", enlargePng(samplePictures.png, 11_000_000 - samplePictures.png.length - 12));
  expect(read(most)).toMatchObject({ bytes: 11_000_000 });
  const key = await add("key.png", Buffer.concat([samplePictures.png.subarray(0, 33), Buffer.from("private key")]));
  expect(read(key)).toEqual({ problem: `${key} is no whole PNG, JPEG, GIF or WebP picture.` });
});
