import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { ensureBuild } from "../../../../scripts/setup/build.mjs";
import { exchangeCode, openSocket } from "../../web/testing/enter.ts";
import { callSheaf, runSheaf, type StartOptions } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const readySchema = z.strictObject({ url: z.url(), pid: z.int() });

beforeAll(() => ensureBuild(process.execPath), 120_000);

afterEach(() => void vi.unstubAllEnvs());

async function startWeb(args: readonly string[], options?: StartOptions) {
  const call = callSheaf(["web", "--port", "0", ...args], options);
  const line = await call.firstLine();
  const stop = async () => {
    call.signal("SIGTERM");
    return (await call.finished).code;
  };
  return { line, stop };
}

test("the printed address lets one browser in, once, and its token is in no folder", async () => {
  vi.stubEnv("TMPDIR", inFolder());
  const { line, stop } = await startWeb(["--ephemeral", "--json"]);
  const { url, pid } = readySchema.parse(JSON.parse(line));
  expect(pid).toBe(process.pid);
  expect(await (await fetch(url)).text()).toContain("<title>");
  const socket = await openSocket(new URL(url).origin, await exchangeCode(url));
  socket.close();
  await expect(exchangeCode(url)).rejects.toThrow("401");
  expect(await stop()).toBe(0);
  expect(await readdir(inFolder())).toEqual([]);
});

test("where there is a display a file that leads to the address is opened, which only its owner may read", async ({
  skip,
}) => {
  skip(process.platform !== "linux", "the browser is opened in another way on this system");
  const opened = inFolder("opened");
  const temporary = inFolder("tmp");
  await mkdir(inFolder("bin"));
  await mkdir(temporary);
  await writeFile(inFolder("bin/xdg-open"), `#!/bin/sh\necho "$@" > ${opened}.part && mv ${opened}.part ${opened}\n`);
  await chmod(inFolder("bin/xdg-open"), 0o755);
  const PATH = `${inFolder("bin")}:${process.env.PATH}`;
  const start = (DISPLAY: string, ...args: string[]) =>
    startWeb(["--ephemeral", ...args], { env: { PATH, DISPLAY, WAYLAND_DISPLAY: "" } });

  vi.stubEnv("TMPDIR", temporary);
  const { line, stop } = await start(":99");
  const address = line.replace("Sheaf is at ", "");
  await expect.poll(() => existsSync(opened)).toBe(true);
  const file = (await readFile(opened, "utf8")).trimEnd();
  expect(file).not.toContain("code");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).toContain(`content="0; url=${address}"`);
  await exchangeCode(address);
  await expect.poll(() => existsSync(file)).toBe(false);
  expect(await stop()).toBe(0);

  await rm(opened);
  const others = await Promise.all([start(""), start(":99", "--no-open")]);
  for (const other of others) expect(await other.stop()).toBe(0);
  expect(existsSync(opened)).toBe(false);
  expect(await readdir(temporary)).toEqual([]);
});

test("what was asked for and is taken is one clear line: a port, or the data of another run", async () => {
  const { stop } = await startWeb(["--data-dir", inFolder("data"), "--json"]);
  const inUse = await runSheaf(["web", "--data-dir", inFolder("data")]);
  expect(inUse).toMatchObject({ code: 1, stdout: "" });
  expect(inUse.stderr).toMatch(/^error: .*in use by process \d+\..*\n$/);
  await stop();

  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, "127.0.0.1", () => {
      const address = other.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  const { code, stderr } = await runSheaf(["web", "--ephemeral", "--port", String(port)]);
  other.close();
  expect(stderr).toMatch(new RegExp(`^error: Port ${port} is in use on 127\\.0\\.0\\.1\\..*\\n$`));
  expect(code).toBe(1);
});
