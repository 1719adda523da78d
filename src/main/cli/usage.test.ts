import { expect, test } from "vitest";
import { runSheaf, runSheafProcess } from "./testing/sheaf-process.ts";

test.each([
  [["serve", "--port", "http"], "error: --port expects a whole number from 0 to 65535, not 'http'."],
  [["serve", "--port", "65536"], "error: --port expects a whole number from 0 to 65535, not '65536'."],
  [["serve", "--pace", "fast"], "error: --pace expects instant, realistic or milliseconds (0 to 600000), not 'fast'."],
  [["serve", "--seed", "-1"], "error: --seed expects a whole number from 0 to 9007199254740991, not '-1'."],
  [["serve", "--engine", "gpt"], "error: --engine expects mock, scripted or upstream, not 'gpt'."],
  [["serve", "--tier", "gold"], "error: --tier expects free or standard, not 'gold'."],
  [["validate", "x.jsonl", "--tier", "gold"], "error: --tier expects free or standard, not 'gold'."],
  [["serve", "--dialect", "french"], "error: --dialect expects service or openai, not 'french'."],
  [["serve", "--keep", "30"], "error: --keep expects an age such as 12h, 30d or 8w, not '30'."],
  [["serve", "--keep", "0d"], "error: --keep expects an age such as 12h, 30d or 8w, not '0d'."],
  [["serve", "--keep-size", "20"], "error: --keep-size expects a size such as 500mb, 20gb or 1.5tb, not '20'."],
  [
    ["serve", "--data-dir", "x", "--ephemeral"],
    "error: option '--ephemeral' cannot be used with option '--data-dir <DIR>'",
  ],
  [["serve", "--frobnicate"], "error: unknown option '--frobnicate'"],
  [
    ["web", "--model-ports", "ollama"],
    "error: --model-ports expects ports by ollama, lm-studio, llama-cpp, vllm or ray-serve, such as ollama=11500,llama-cpp=8081, not 'ollama'.",
  ],
  [
    ["web", "--model-ports", "openai=80"],
    "error: --model-ports expects ports by ollama, lm-studio, llama-cpp, vllm or ray-serve, such as ollama=11500,llama-cpp=8081, not 'openai=80'.",
  ],
  [
    ["web", "--model-ports", "vllm=70000"],
    "error: --model-ports expects ports by ollama, lm-studio, llama-cpp, vllm or ray-serve, such as ollama=11500,llama-cpp=8081, not 'vllm=70000'.",
  ],
  [
    ["web", "--model-ports", "vllm=8000,"],
    "error: --model-ports expects ports by ollama, lm-studio, llama-cpp, vllm or ray-serve, such as ollama=11500,llama-cpp=8081, not 'vllm=8000,'.",
  ],
  [["run", "batch.jsonl"], "error: required option '-o, --output <OUT>' not specified"],
  [
    ["run", "x.jsonl", "-o", "y", "--first", "1", "--random", "1"],
    "error: option '--first <N>' cannot be used with option '--random <N>'",
  ],
  [["run", "package.json", "--dry-run"], "error: --dry-run needs --connection."],
  [["submit", "x.jsonl"], "error: required option '--connection <NAME>' not specified"],
  [["fetch", "batch_1"], "error: required option '-o, --output <OUT>' not specified"],
  [["validate"], "error: missing required argument 'FILE'"],
  [["fly"], "error: unknown command 'fly'"],
])("%j is refused with one clear line and exit code 2", async (args, message) => {
  expect(await runSheaf(args)).toEqual({ code: 2, stdout: "", stderr: `${message}\n` });
});

test("a key is never echoed, even when it cannot be used", async () => {
  const { code, stderr } = await runSheaf(["serve", "--api-key", "my secret key"]);
  expect(code).toBe(2);
  expect(stderr).toBe("error: --api-key expects 1 to 256 visible ASCII characters without spaces.\n");
});

const commands = [
  "serve",
  "build",
  "validate",
  "run",
  "submit",
  "status",
  "fetch",
  "cancel",
  "retry",
  "resolve",
  "export",
  "verify",
  "grade",
  "web",
  "doctor",
  "backup",
];

test.each(commands)("sheaf %s --help has examples and exits with 0", async (command) => {
  const { code, stdout, stderr } = await runSheaf([command, "--help"]);
  expect(stdout).toContain(`Usage: sheaf ${command}`);
  expect(stdout).toMatch(/Examples:\n {2}sheaf /);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("the engine flags are listed in one place, and the commands that take them refer to it", async () => {
  const [topic, serve] = await Promise.all([runSheaf(["help", "engine"]), runSheaf(["help", "serve"])]);
  expect(topic).toMatchObject({ code: 0, stderr: "" });
  expect(topic.stdout).toContain("Usage: sheaf serve|run|verify|grade [engine flags]");
  expect(topic.stdout).toContain("--upstream-url <URL>");
  expect(serve).toEqual(await runSheaf(["serve", "--help"]));
  expect(serve.stdout).toContain("sheaf help engine");
  expect(serve.stdout).not.toContain("--upstream-timeout");
  expect((await runSheaf(["help", "connections", "add"])).stdout).toContain("Usage: sheaf connections add");
  expect(await runSheaf(["help", "fly"])).toEqual({ code: 2, stdout: "", stderr: "error: unknown command 'fly'\n" });
});

test("every -o takes - for standard output, and its help says so", async () => {
  const helps = await Promise.all(commands.map(async (name) => (await runSheaf([name, "--help"])).stdout));
  const options = helps.flatMap((help) => /^ +-o, --output .*(\n {10,}.*)*/m.exec(help)?.[0] ?? []);
  expect(options).toHaveLength(7);
  for (const option of options) expect(option.replace(/\s+/g, " ")).toContain("- is standard output");
});

test("no line of any help is wider than a terminal of 80 columns", async () => {
  const subcommands = ["add", "list", "test", "key", "remove"].map((name) => ["connections", name]);
  for (const command of [[], ["engine"], ["connections"], ...subcommands, ...commands.map((name) => [name])]) {
    const { stdout } = await runSheaf(["help", ...command]);
    expect(stdout).toContain("Usage: sheaf");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  }
});

test("without a command, the help is shown and the exit code is 2", async () => {
  const { code, stderr } = await runSheaf([]);
  expect(code).toBe(2);
  expect(stderr).toContain("Commands:");
});

test("a process ends with the exit code of its command, and prints where it belongs", async () => {
  const [help, wrong] = await Promise.all([runSheafProcess(["--help"]), runSheafProcess(["fly"])]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toContain("Usage: sheaf");
  expect(wrong).toEqual({ code: 2, stdout: "", stderr: "error: unknown command 'fly'\n" });
});
