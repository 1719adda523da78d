import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { ensureBuild, findCommand } from "../../../scripts/setup/build.mjs";
import { root } from "../../../scripts/setup/paths.mjs";
import { exampleFile } from "./testing/batch-lines.ts";
import { runSheaf } from "./testing/sheaf-process.ts";
import { setUpFolder } from "./testing/temporary-folder.ts";
import { hasTerminals, startInTerminal, type TerminalProgram } from "./testing/terminal.ts";

const inFolder = setUpFolder();
const batch = exampleFile("batch.jsonl");
const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";

/** A chat server that answers nothing; it lists its models. */
interface SilentServer {
  readonly url: string;
  /** Requests that wait for an answer. */
  waiting(): number;
  hangUp(): void;
}

async function openSilentServer(): Promise<SilentServer> {
  let waiting = 0;
  const server: Server = createServer((_request, response) => {
    waiting += 1;
    response.once("close", () => {
      waiting -= 1;
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}/v1`, waiting: () => waiting, hangUp: () => server.closeAllConnections() };
}

let env: Record<string, string>;
beforeEach(() => {
  env = { TMPDIR: inFolder(), XDG_DATA_HOME: inFolder("home"), DISPLAY: "", WAYLAND_DISPLAY: "" };
});

const sheaf = (...args: string[]) => startInTerminal([process.execPath, findCommand(), ...args], { env });

const atSilentServer = ({ url }: SilentServer) => [
  ...["--upstream-url", url, "--upstream-retries", "0"],
  ...["--judge-model", model, "--data-dir", inFolder("data")],
];

/** Adds a connection to the silent server. */
async function connect({ url }: SilentServer, preset: string): Promise<readonly string[]> {
  const folder = ["--data-dir", inFolder("data")];
  const key = ["--key-env", "SILENT_KEY"];
  env.SILENT_KEY = "sk-0123456789abcdef";
  const added = ["connections", "add", "Silent", "--preset", preset, "--url", url, ...key, ...folder];
  expect(await runSheaf(added, { env })).toMatchObject({ code: 0 });
  return folder;
}

async function writeAnswers(): Promise<string> {
  const path = inFolder("answers.jsonl");
  expect(await runSheaf(["run", batch, "-o", path])).toMatchObject({ code: 0 });
  return path;
}

const interrupted = 130;

describe.skipIf(!hasTerminals)("Ctrl+C in a terminal ends the command, and all that it started", () => {
  beforeAll(() => ensureBuild(process.execPath), 300_000);

  /** Half-written files and temporary folders. */
  afterEach(async () => {
    const left = (await readdir(inFolder())).filter((name) => /^\..*\.tmp$|^sheaf-/.test(name));
    expect(left).toEqual([]);
  });

  test.each([
    ["serve", ["--port", "0", "--ephemeral"], "Stop it with Ctrl+C.", 0],
    ["web", ["--port", "0", "--ephemeral", "--no-open"], "Press Enter for a new address.", 0],
    ["run", [batch, "-o", "-", "--pace", "600000"], "Running [", interrupted],
    ["connections", ["add", "Hosted", "--preset", "openai"], "Key of Hosted", interrupted],
  ])("sheaf %s", async (command, args, ready, code) => {
    const program = sheaf(command, ...args);
    await program.shows(ready);
    program.pressCtrlC();
    expect(await program.ended).toMatchObject({ code });
  });

  test.each([
    ["run", "-s", "web", "--"],
    ["start", "--"],
  ])("npm %s", async (...npm) => {
    const program = startInTerminal(["npm", ...npm, "--port", "0", "--ephemeral", "--no-open"], { env, cwd: root });
    await program.shows("Press Enter for a new address.");
    program.pressCtrlC();
    const { screen } = await program.ended;
    expect(screen).not.toMatch(/error/i);
  });

  test("jobs on a connection, which keep what they have", async () => {
    const server = await openSilentServer();
    const folder = await connect(server, "ollama");
    const out = ["-o", inFolder("answers.jsonl"), ...folder];
    const run = sheaf("run", batch, "--connection", "Silent", ...out);
    await endWaiting(run, server, 1);
    const id = (await runSheaf(["status", ...folder], { env })).stdout.split("\t")[0] ?? "";
    await endWaiting(sheaf("fetch", id, "--wait", ...out), server, 1);
  });

  test("a submit that gets no answer", async () => {
    const server = await openSilentServer();
    const folder = await connect(server, "openai");
    await endWaiting(sheaf("submit", batch, "--connection", "Silent", ...folder), server, 1);
  });

  test("models that judge", async () => {
    const server = await openSilentServer();
    const answers = await writeAnswers();
    await writeFile(inFolder("rubric.txt"), "It is right.");
    const files = ["--batch", answers, "-o", inFolder("out.jsonl"), ...atSilentServer(server)];
    await endWaiting(sheaf("verify", "--input", batch, "--judge", "model", ...files), server, interrupted);
    const rubric = ["--rubric", inFolder("rubric.txt"), "--requests", batch];
    await endWaiting(sheaf("grade", "--as", "model", ...rubric, ...files), server, interrupted);
  });
});

/** Presses Ctrl+C while the server lets the command wait, and then ends its connections. */
async function endWaiting(program: TerminalProgram, server: SilentServer, code: number): Promise<void> {
  await expect.poll(server.waiting).toBeGreaterThan(0);
  program.pressCtrlC();
  await program.shows("^C");
  server.hangUp();
  expect(await program.ended).toMatchObject({ code });
  expect(server.waiting()).toBe(0);
}
