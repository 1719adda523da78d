import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ensureBuild } from "../../../../scripts/setup/build.mjs";
import { exitOf, runSheaf, type StartOptions, startSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const readySchema = z.strictObject({ url: z.url(), pid: z.int() });

beforeAll(() => ensureBuild(process.execPath), 120_000);

async function startWeb(args: readonly string[], options?: StartOptions) {
  const child = startSheaf(["web", "--port", "0", ...args], options);
  for await (const line of createInterface({ input: child.stdout })) return { child, line };
  throw new Error("sheaf web ended before it was ready.");
}

test("the printed address lets one browser in, once", async () => {
  const { child, line } = await startWeb(["--ephemeral", "--json"], { env: { TMPDIR: inFolder() } });
  const { url, pid } = readySchema.parse(JSON.parse(line));
  expect(pid).toBe(child.pid);
  const entered = await fetch(url, { redirect: "manual" });
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const page = await fetch(new URL("/", url), { headers: { cookie } });
  expect(await page.text()).toContain("<title>");
  expect((await fetch(url, { redirect: "manual" })).status).toBe(401);
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
  expect(await readdir(inFolder())).toEqual([]);
});

test("where there is a display the address is opened, and only there", async ({ skip }) => {
  skip(process.platform !== "linux", "the browser is opened in another way on this system");
  const opened = inFolder("opened");
  await mkdir(inFolder("bin"));
  await writeFile(inFolder("bin/xdg-open"), `#!/bin/sh\necho "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`);
  await chmod(inFolder("bin/xdg-open"), 0o755);
  const PATH = `${inFolder("bin")}:${process.env.PATH}`;
  for (const [DISPLAY, args] of [
    [":99", []],
    ["", []],
    [":99", ["--no-open"]],
  ] as const) {
    const env = { PATH, DISPLAY, WAYLAND_DISPLAY: "" };
    const { child, line } = await startWeb(["--ephemeral", ...args], { env });
    const address = line.replace("Sheaf is at ", "");
    if (DISPLAY !== "" && args.length === 0) {
      await expect.poll(() => existsSync(opened)).toBe(true);
      expect(await readFile(opened, "utf8")).toBe(`${address}\n`);
      await writeFile(opened, "");
    }
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(0);
  }
  expect(await readFile(opened, "utf8")).toBe("");
});

test("what was asked for and is taken is one clear line: a port, or the data of another run", async () => {
  const { child } = await startWeb(["--data-dir", inFolder("data"), "--json"]);
  const inUse = await runSheaf(["web", "--data-dir", inFolder("data")]);
  expect(inUse).toMatchObject({ code: 1, stdout: "" });
  expect(inUse.stderr).toMatch(/^error: .*in use by process \d+\..*\n$/);
  child.kill("SIGTERM");
  await exitOf(child);

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
