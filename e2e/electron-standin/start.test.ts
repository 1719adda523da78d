import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sealLine } from "#main/storage";
import { injectDiskFaults } from "../../src/main/storage/io/testing/inject-disk-faults.ts";
import type { BrowserWindowStandIn } from "./browser-window.ts";
import type { ElectronStandIn } from "./electron.ts";
import { launch } from "./launch.ts";
import { connectPage as connect } from "./page-client.ts";

/** Starts of the built app, one after the other, as its user starts it. */
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sheaf-data-"));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dataDir, { recursive: true, force: true });
});

it("keeps Electron's own profile with the data, so that runs on different data do not meet", async () => {
  const run = await launch(["--data-dir", dataDir]);
  expect(run.electron.app.getPath("userData")).toBe(join(dataDir, "electron"));
  await run.quit();
});

it("hands over to the instance that runs already, and ends without a word", async () => {
  await expect(launch(["--data-dir", dataDir], { first: false })).rejects.toThrow(/^The app ended with 0\. $/);
});

it("shows that it prepares the data to a user who starts it meanwhile, until its window is there", async () => {
  // As a journal is that was not written anew for long.
  const header = sealLine({ kind: "journal", format: 2, folder: "f", seq: 1 });
  const marks = Array.from({ length: 20_000 }, (_, at) => sealLine({ kind: "mark", synced: at + 1, seq: at + 2 }));
  await writeFile(join(dataDir, "journal.jsonl"), [header, ...marks].join(""));
  let shown: BrowserWindowStandIn | undefined;
  const run = await launch(["--data-dir", dataDir], {
    async beforeReady({ app, protocol }) {
      const { handle } = protocol;
      protocol.handle = (...given) => {
        handle.apply(protocol, given);
        setImmediate(() => {
          app.startAgain();
          [shown] = app.windows;
        });
      };
    },
  });
  expect(shown?.options.name).toBeUndefined();
  expect(shown?.webContents.mainFrame?.url).toContain("Preparing%20your%20data");
  expect(shown?.webContents.executed.join()).toMatch(/Sheaf opens your data|of 2 MB/);
  expect(shown?.progress.value).toBeGreaterThan(0);
  expect(run.electron.app.windows).toEqual([run.window]);
  await run.quit();
});

it("says which flag is wrong, and ends", async () => {
  await expect(launch(["--pace=fast"])).rejects.toThrow(
    /ended with 1\. Sheaf could not start: --pace expects instant, realistic or milliseconds/,
  );
});

/** What the code of an older version left. */
const oldFolder = join(import.meta.dirname, "../../src/main/cli/testing/old-folders/7ab37f8");

describe("says what is wrong with its data, and ends:", () => {
  const refused = (args: readonly string[], sentence: string) =>
    expect(launch(args)).rejects.toThrow(`The app ended with 1. Sheaf could not start: ${sentence}`);

  it("a newer version's is left as it is, with its keys where they are", async () => {
    withoutKeychain();
    const read = async (path: string) => (await readFile(path)).toString();
    const { passphrase } = JSON.parse(await read(join(oldFolder, "secrets.json")));
    const keys = join(dataDir, "secrets.json");
    await cp(join(oldFolder, "data/secrets.json"), keys);
    const journal = join(dataDir, "journal.jsonl");
    await writeFile(journal, sealLine({ kind: "journal", format: 3, folder: "f", seq: 1 }));
    const before = [await read(journal), await read(keys)];
    vi.stubEnv("SHEAF_PASSPHRASE", passphrase);
    await refused(
      ["--data-dir", dataDir],
      `${journal} was written by a newer version of Sheaf. Start that one, or start with another data folder. Nothing was changed.`,
    );
    expect([await read(journal), await read(keys)]).toEqual(before);
    expect((await readdir(dataDir)).filter((name) => name !== "electron")).toEqual(["journal.jsonl", "secrets.json"]);
  });

  it("an older version's can't be copied on a full disk; once there is room it opens, with its batches", async () => {
    const data = join(dataDir, "data");
    await cp(join(oldFolder, "data"), data, { recursive: true });
    let isFull = true;
    // Node keeps what it copies with from its first copy on: `isFull` ends that, too.
    const putBack = await injectDiskFaults(({ name, path }) =>
      isFull && name === "copyFile" && path.startsWith(data) ? "ENOSPC" : null,
    );
    await refused(
      ["--data-dir", data],
      `${data} is of an older version of Sheaf, and could not be brought to the form of this one. The disk is full: make room, and start Sheaf again. Its records are as they were.`,
    );
    isFull = false;
    putBack();
    const run = await launch(["--data-dir", data, "--pace=instant"], { button: 1 });
    // One of them is that of a job.
    expect((await (await connect(run)).batches.list({})).batches).toHaveLength(10);
    await run.quit();
  });

  it("a folder that can't be made", async () => {
    await writeFile(join(dataDir, "file"), "");
    const data = join(dataDir, "file", "data");
    await refused(["--data-dir", data], `${data}: part of the path is not a folder.`);
  });
});

it("says who else uses its data, and ends", async () => {
  const holder = await launch(["--data-dir", dataDir]);
  await expect(launch(["--data-dir", dataDir])).rejects.toThrow(
    /ended with 1\. Sheaf could not start: The data folder .+ is in use by process \d+\./,
  );
  await holder.quit();
});

it("asks what to do when its journal is lost: it ends, or registers the files again", async () => {
  const request = JSON.stringify({ custom_id: "a", method: "POST", url: "/v1/chat/completions", body: {} });
  await mkdir(join(dataDir, "files"));
  for (const [name, content] of [
    ["file-a", request],
    ["file-b", "something else"],
  ] as const)
    await writeFile(join(dataDir, "files", name), content);
  let asked: readonly { readonly message: string }[] = [];
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const beforeReady = async ({ app, dialog }: ElectronStandIn) => {
    asked = dialog.questions;
    dialog.presses.push("Check data", "Close", "Quit");
    const { showMessageBox } = dialog;
    dialog.showMessageBox = async (...given) => {
      // However long its user thinks, the window of a long start does not appear beside the question.
      await vi.advanceTimersByTimeAsync(2_000);
      expect(app.windows).toEqual([]);
      return await showMessageBox.apply(dialog, given);
    };
  };
  await expect(launch(["--data-dir", dataDir], { beforeReady })).rejects.toThrow(/^The app ended with 0\. $/);
  const question = "Sheaf's list of your files is lost.";
  expect(asked.map(({ message }) => message)).toEqual([question, "Damage was found in 1 place.", question]);
  vi.useRealTimers();
  expect(await readdir(join(dataDir, "files"))).toEqual(["file-a", "file-b"]);

  const adopted = await launch(["--data-dir", dataDir]);
  expect(adopted.electron.dialog.questions).toMatchObject([{ message: "Sheaf's list of your files is lost." }]);
  await adopted.quit();

  const next = await launch(["--data-dir", dataDir]);
  expect(next.electron.dialog.questions).toEqual([]);
  const notices = await (await connect(next)).app.notices();
  expect(notices).toMatchObject([{ code: "files_quarantined", count: 1 }]);
  await next.quit();
  expect(await readdir(join(dataDir, "quarantine"))).toEqual(["file-b"]);
});

/** Not the keychain of the user who runs the tests: on Linux there is none without a session bus. */
function withoutKeychain(): void {
  vi.stubEnv("SHEAF_SECRETS", "auto");
  vi.stubEnv("DBUS_SESSION_BUS_ADDRESS", undefined);
  vi.stubEnv("XDG_RUNTIME_DIR", undefined);
}

it.runIf(process.platform === "linux")(
  "keeps keys under a key of the system's where there is no keychain",
  async () => {
    withoutKeychain();
    const before = await launch(["--data-dir", dataDir]);
    const { server } = await connect(before);
    const { value } = await server.reveal({ name: "api_key" });
    expect((await server.get()).secrets.kind).toBe("safe_storage");
    await before.quit();
    expect(await readFile(join(dataDir, "secrets.system.json"), "utf8")).not.toContain(value);

    const after = await launch(["--data-dir", dataDir]);
    expect(await (await connect(after)).server.reveal({ name: "api_key" })).toEqual({ value });
    await after.quit();
  },
);

it.runIf(process.platform === "linux")(
  "keeps keys nowhere where Electron would encrypt them with a known one",
  async () => {
    withoutKeychain();
    const run = await launch(["--data-dir", dataDir], { keyStore: "basic_text" });
    const { server } = await connect(run);
    await server.reveal({ name: "api_key" });
    expect((await server.get()).secrets).toEqual({ kind: "memory", note: expect.stringMatching(/^Not kept: /) });
    await run.quit();
    expect((await readdir(dataDir)).filter((name) => name.startsWith("secrets"))).toEqual([]);
  },
);

it.runIf(process.platform === "linux")(
  "asks for the keychain in a utility process: a packaged app has no other way to start one",
  async () => {
    vi.stubEnv("DBUS_SESSION_BUS_ADDRESS", `unix:path=${join(dataDir, "no-bus")}`);
    // With keytar installed it finds no bus, without it the process reports that.
    await expect(launch(["--data-dir", dataDir, "--secrets=keychain"], { packaged: true })).rejects.toThrow(
      /Keys can't be kept in the keychain: (keytar, .+could not be installed|.+can't be reached)/,
    );
  },
);
