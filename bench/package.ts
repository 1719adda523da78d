/** How fast the packed package is there: installed, started, and for the first things that a test asks of it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { installPackage } from "../e2e/package/installed-package.ts";
import { median } from "./statistics.ts";

const { values } = parseArgs({ args: process.argv.slice(3), options: { rounds: { type: "string", default: "7" } } });

/** Times what comes after it. The client is warm before: its own first use is not the server's time. */
const timing = `
const { createServer } = await import("node:http");
const warm = createServer((request, response) => request.resume().on("end", () => response.end("{}"))).listen(0, "127.0.0.1");
await new Promise((done) => warm.once("listening", done));
for (let call = 0; call < 3; call += 1) {
  const form = new FormData();
  form.append("file", new File(["{}"], "one.jsonl"));
  for (const body of ["{}", form]) await (await fetch("http://127.0.0.1:" + warm.address().port, { method: "POST", body })).json();
}
warm.closeAllConnections();
warm.close();
const times = {};
const readCpu = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
let last, cpu;
const begin = () => { last = performance.now(); cpu = readCpu(); };
const mark = (name) => {
  times[name] = performance.now() - last;
  times[name + ", CPU"] = readCpu() - cpu;
  begin();
};
begin();
`;

/** The same import of the peer, in the same run. */
const peerSteps = `${timing}
await import("@copilotkit/aimock");
mark("import of aimock");
console.log(JSON.stringify(times));
`;

/** What a test file asks first of all, each timed. */
const firstSteps = `${timing}
const { startSheaf } = await import("sheaf/testing");
mark("import of sheaf/testing");
const sheaf = await startSheaf({ dialect: "openai" });
mark("startSheaf");
const headers = { authorization: "Bearer " + sheaf.apiKey, "content-type": "application/json" };
const body = { model: "deepseek-ai/DeepSeek-R1", messages: [{ role: "user", content: "How many eggs are left?" }] };
const ask = async () => (await fetch(sheaf.baseURL + "/chat/completions", { method: "POST", headers, body: JSON.stringify(body) })).json();
begin();
await ask();
mark("first chat");
await ask();
mark("second chat");
const line = { method: "POST", url: "/v1/chat/completions", body };
const lines = Array.from({ length: 10 }, (_, at) => JSON.stringify({ custom_id: "line-" + at, ...line }));
const form = new FormData();
form.append("purpose", "batch");
form.append("file", new File([lines.join("\\n")], "ten.jsonl"));
const { authorization } = headers;
begin();
const file = await (await fetch(sheaf.baseURL + "/files", { method: "POST", headers: { authorization }, body: form })).json();
const window = { input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" };
const read = async (path, init) => (await fetch(sheaf.baseURL + path, { headers, ...init })).json();
let batch = await read("/batches", { method: "POST", body: JSON.stringify(window) });
while (["validating", "in_progress", "finalizing"].includes(batch.status)) {
  await new Promise((done) => setTimeout(done, 2));
  batch = await read("/batches/" + batch.id);
}
if (batch.status !== "completed") throw new Error(JSON.stringify({ file, batch }));
mark("first batch of ten lines");
await sheaf.stop();
console.log(JSON.stringify(times));
`;

const installed = await installPackage();
const { folder } = installed;
await installed.link("@copilotkit/aimock");
const samples = new Map<string, number[]>();
const add = (name: string, value: number) => samples.set(name, [...(samples.get(name) ?? []), value]);
try {
  const files = readdirSync(join(folder, "node_modules/sheaf"), { recursive: true, withFileTypes: true });
  const sizes = files.map((file) => (file.isFile() ? statSync(join(file.parentPath, file.name)).size : 0));
  add("installed, MB", sizes.reduce((sum, size) => sum + size, 0) / 1e6);
  // One round more, for the compile cache.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const measured = [await runSteps(peerSteps), await runSteps(firstSteps), await startServer()];
    if (round > 0) for (const [name, value] of measured.flatMap((each) => Object.entries(each))) add(name, value);
  }
} finally {
  await installed[Symbol.asyncDispose]();
}
for (const [name, each] of samples) {
  const bounds = [Math.min(...each), Math.max(...each)].map((value) => value.toFixed(1)).join(" … ");
  const share = name.endsWith(", CPU")
    ? `${(median(each) / median(samples.get("import of aimock, CPU") ?? [])).toFixed(2)} x`
    : "";
  console.log(`${name.padEnd(32)} ${median(each).toFixed(1).padStart(7)} ${share.padStart(7)}   ${bounds}`);
}

async function runSteps(steps: string): Promise<Record<string, number>> {
  const { stdout, stderr } = await installed.run("node", "--input-type=module", "--eval", steps);
  if (stdout === "") throw new Error(stderr);
  return z.record(z.string(), z.number()).parse(JSON.parse(stdout));
}

async function startServer(): Promise<Record<string, number>> {
  const begin = performance.now();
  const server = await installed.start(
    "node",
    "node_modules/sheaf/bin/sheaf.cjs",
    "serve",
    "--port=0",
    "--ephemeral",
    "--json",
  );
  const ready = performance.now() - begin;
  const { pid } = z.object({ pid: z.int() }).parse(JSON.parse(server.line));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  await server.stop();
  return { "serve, ready": ready, "serve, idle, MB": Number(memory) / 1_000 };
}
