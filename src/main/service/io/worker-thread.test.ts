import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeTempDir } from "../testing/index.ts";

const worker = `
import { serveWorker } from ${JSON.stringify(new URL("./worker-thread.ts", import.meta.url).href)};
import { os } from ${JSON.stringify(import.meta.resolve("@orpc/server"))};
const numbers = new Float64Array(2);
serveWorker({
  plain: os.handler(() => 1),
  twice: os.handler(() => ({ numbers, again: numbers })),
  function: os.handler(() => ({ numbers: new Float64Array(2), read: () => 1 })),
});
`;

const program = (url: URL) => `
import { createWorkerThread } from ${JSON.stringify(new URL("./worker-thread.ts", import.meta.url).href)};
const thread = createWorkerThread({ url: new URL(${JSON.stringify(url.href)}), name: "test", closedMessage: "Closed." });
const outcomes = [];
for (const name of ["twice", "function", "plain"]) {
  outcomes.push(await thread.client()[name]().catch((error) => error.message));
}
console.log(JSON.stringify(outcomes));
await thread.close();
`;

test("an answer that can't be sent fails its call, where rejections that nobody handles are only warned of, too", async () => {
  const folder = await makeTempDir();
  const [entry, main] = [join(folder, "worker.mjs"), join(folder, "main.mjs")];
  await writeFile(entry, worker);
  await writeFile(main, program(pathToFileURL(entry)));
  const { stdout } = await promisify(execFile)(process.execPath, ["--unhandled-rejections=warn", main], {
    timeout: 10_000,
  });
  const numbers = { 0: 0, 1: 0 };
  expect(JSON.parse(stdout)).toEqual([{ numbers, again: numbers }, "DataCloneError: () => 1 could not be cloned.", 1]);
});
