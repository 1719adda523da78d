import { execFileSync } from "node:child_process";
import { mkdir, open, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PageRequest, Source } from "#contract";
import { PreventableEvent } from "./event.ts";
import { type Launched, launch } from "./launch.ts";
import { type Client, connectPage } from "./page-client.ts";

/** What the system has the app open, in the built app: which files and links its page is asked to show. */
let launched: Launched;
let client: Client;
let requests: AsyncIterator<PageRequest>;
let early: string;

async function next(): Promise<PageRequest> {
  const { value, done } = await requests.next();
  if (done) throw new Error("The requests have ended.");
  return value;
}

beforeAll(async () => {
  launched = await launch(["--ephemeral", "--pace=instant"], {
    packaged: true,
    async beforeReady({ app }, folder) {
      early = join(folder, "early.csv");
      await writeFile(early, "id\n1\n");
      app.emit("open-file", new PreventableEvent(), early);
    },
  });
  client = await connectPage(launched);
  requests = (await client.desktop.requests())[Symbol.asyncIterator]();
});

afterAll(async () => {
  await launched.quit();
});

/** Starts the app a second time, as the system does to open something. */
function startAgain(...args: string[]): void {
  launched.electron.app.startAgain(args, launched.folder);
}

async function readOpened(request: PageRequest, at = 0): Promise<Source> {
  const file = request.kind === "open_tables" ? request.files[at] : undefined;
  for await (const event of await client.sources.open({ id: file?.id ?? "" })) {
    if (event.phase === "read") return event.source;
  }
  throw new Error("The reading ended without a source.");
}

it("keeps a file that was opened before the app was ready, and hands it over once", async () => {
  const request = await next();
  expect(request).toEqual({ kind: "open_tables", files: [{ id: expect.any(String), name: "early.csv", bytes: 5 }] });
  expect(await readOpened(request)).toMatchObject({ name: "early.csv", rowCount: 1 });
});

it("opens the files of a second start, relative to where that was, and comes to the front", async () => {
  await writeFile(join(launched.folder, "a.csv"), "question\nWhy?\nHow?\n");
  await writeFile(join(launched.folder, "b c.jsonl"), '{"q":1}\n');
  launched.window.blur();
  startAgain("--pace=fast", ".", "a.csv", pathToFileURL(join(launched.folder, "b c.jsonl")).href);
  const request = await next();
  expect(request).toMatchObject({ kind: "open_tables", files: [{ name: "a.csv" }, { name: "b c.jsonl" }] });
  expect(await readOpened(request)).toMatchObject({ columns: ["question"], rowCount: 2 });
  expect(await readOpened(request, 1)).toMatchObject({ columns: ["q"], rowCount: 1 });
  expect(launched.window.isFocused()).toBe(true);
});

it.each([
  ["gone.csv", async () => {}, "It is no longer there: it was moved, renamed or deleted."],
  ["folder.csv", (path: string) => mkdir(path), "It is a folder. Open a table in it, such as XLSX or CSV."],
  [
    "large.csv",
    async (path: string) => {
      const file = await open(path, "w");
      await file.truncate(4_100_000_000);
      await file.close();
    },
    "It has 4.1 GB, and a table may have 4 GB. Split it, and open its parts.",
  ],
  ...(process.platform === "win32"
    ? []
    : ([
        [
          "pipe.csv",
          async (path: string) => void execFileSync("mkfifo", [path]),
          "It is no file with rows, but a device or a pipe.",
        ],
        [
          "device.csv",
          (path: string) => symlink("/dev/zero", path),
          "It is no file with rows, but a device or a pipe.",
        ],
      ] as const)),
] as const)("says why %s can't be opened", async (name, make, message) => {
  await make(join(launched.folder, name));
  startAgain(name);
  expect(await next()).toEqual({ kind: "report", title: `${name} can’t be opened`, message });
});

it("says of a file that is no table what Build says of it, and leaves nothing of it", async () => {
  await writeFile(join(launched.folder, "broken.xlsx"), "PK\u0003\u0004 and no workbook");
  startAgain("broken.xlsx");
  await expect(readOpened(await next())).rejects.toThrow(/workbook/);
});

it("is told that a file is gone when it goes before it is read", async () => {
  startAgain("a.csv");
  const request = await next();
  await rm(join(launched.folder, "a.csv"));
  await expect(readOpened(request)).rejects.toThrow("It is no longer there");
});

it("gives no file that was not opened with the app", async () => {
  const reading = client.sources.open({ id: "/etc/passwd" }).then((events) => Array.fromAsync(events));
  await expect(reading).rejects.toThrow("This file was opened too long ago. Open it again.");
});

it("shows the page of a link, and refuses every other one", async () => {
  expect(launched.electron.app.ownedSchemes).toEqual(["sheaf"]);
  startAgain("--data-dir=/tmp/evil", "sheaf://batch/batch_1", "a.csv");
  expect(await next()).toEqual({ kind: "show_batch", id: "batch_1" });
  launched.electron.app.emit("open-url", new PreventableEvent(), "sheaf://file/file-1");
  expect(await next()).toEqual({ kind: "show_file", id: "file-1" });
  launched.electron.app.emit("open-url", new PreventableEvent(), "sheaf://app/settings?delete=all");
  expect(await next()).toMatchObject({ kind: "report", title: "This link can’t be opened" });
});
