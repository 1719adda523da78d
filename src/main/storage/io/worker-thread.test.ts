import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { lookMs } from "./watch-thread.ts";
import { createWorkerThread } from "./worker-thread.ts";

const worker = `
import { serveWorker } from ${JSON.stringify(new URL("./worker-thread.ts", import.meta.url).href)};
import { os } from ${JSON.stringify(import.meta.resolve("@orpc/server"))};
const numbers = new Float64Array(2);
let counted = 0;
const busy = (milliseconds) => {
  const start = performance.now();
  while (performance.now() - start < milliseconds);
};
serveWorker({
  plain: os.handler(() => 1),
  twice: os.handler(() => ({ numbers, again: numbers })),
  grow: os.handler(() => {
    const all = [];
    for (;;) all.push(Array.from({ length: 10_000 }, (_, at) => String(at)));
  }),
  function: os.handler(() => ({ numbers: new Float64Array(2), read: () => 1 })),
  stuck: os.handler(() => { for (;;); }),
  steps: os.handler(async () => {
    for (let step = 0; step < 10; step++) {
      busy(20);
      await new Promise(setImmediate);
    }
    return 1;
  }),
  patient: os.handler(() => { busy(200); return 1; }),
  count: os.handler(() => (counted += 1)),
  pair: os.handler(async function* () { yield 1; yield 2; }),
  halfway: os.handler(async function* () { yield 1; await new Promise(setImmediate); for (;;); }),
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
    timeout: 60_000,
  });
  const numbers = { 0: 0, 1: 0 };
  expect(JSON.parse(stdout)).toEqual([{ numbers, again: numbers }, "DataCloneError: () => 1 could not be cloned.", 1]);
});

type TestClient = {
  grow(): Promise<never>;
  plain(): Promise<number>;
  stuck(): Promise<never>;
  halfway(): Promise<AsyncGenerator<number>>;
  steps(): Promise<number>;
  patient(): Promise<number>;
  count(): Promise<number>;
  pair(): Promise<AsyncGenerator<number>>;
};

test("a thread that is stuck in a step while calls wait is ended, its calls fail, and the next call starts another", async () => {
  const entry = join(await makeTempDir(), "worker.mjs");
  await writeFile(entry, worker);
  const machine = createFakeMachine();
  const thread = createWorkerThread<TestClient>({
    url: pathToFileURL(entry),
    name: "test",
    closedMessage: "Closed.",
    longestStepMs: (procedure) => (procedure === "patient" ? 1_000_000 : 50),
    stuckError: () => new Error("It took too long."),
    machine,
  });
  onTestFinished(() => thread.close());
  /** Looks at the thread again and again, until its calls have ended. */
  const lookUntil = async (ended: Promise<unknown>) => {
    let isOver = false;
    const end = ended.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await machine.advance(lookMs);
      // The thread has a moment to report its time, and to go on.
      await setTimeout(10);
    }
    await end;
  };

  const stuck = expect(thread.client().stuck()).rejects.toThrow("It took too long.");
  const next = expect(thread.client().plain()).rejects.toThrow("It took too long.");
  await lookUntil(Promise.all([stuck, next]));

  const stream = await thread.client().halfway();
  expect((await stream.next()).value).toBe(1);
  // A slow reader does not count as a stuck thread.
  expect(machine.pending).toBe(0);
  await lookUntil(expect(stream.next()).rejects.toThrow("It took too long."));
  expect(await thread.client().plain()).toBe(1);

  // Neither does a procedure of many steps, nor one that may have a longer one.
  await lookUntil(expect(thread.client().steps()).resolves.toBe(1));
  await lookUntil(expect(thread.client().patient()).resolves.toBe(1));
  await thread.close();
  expect(machine.pending).toBe(0);
});

test("a thread without calls is ended after a minute, which gives its memory back, and the next call starts another", async () => {
  const entry = join(await makeTempDir(), "worker.mjs");
  await writeFile(entry, worker);
  const machine = createFakeMachine();
  const thread = createWorkerThread<TestClient>({
    url: pathToFileURL(entry),
    name: "test",
    closedMessage: "Closed.",
    machine,
  });
  onTestFinished(() => thread.close());

  expect(await thread.client().count()).toBe(1);
  await machine.advance(59_999);
  expect(await thread.client().count()).toBe(2);

  // One whose stream is still being read is not without calls.
  const stream = await thread.client().pair();
  expect((await stream.next()).value).toBe(1);
  await machine.advance(120_000);
  expect((await stream.next()).value).toBe(2);
  expect(await stream.next()).toMatchObject({ done: true });
  expect(await thread.client().count()).toBe(3);

  await machine.advance(60_000);
  expect(await thread.client().count()).toBe(1);
});

test("a call that takes more memory than its thread may have is refused, and the next one is answered", async () => {
  const entry = join(await makeTempDir(), "worker.mjs");
  await writeFile(entry, worker);
  const thread = createWorkerThread<TestClient>({
    url: pathToFileURL(entry),
    name: "test",
    closedMessage: "Closed.",
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    memoryError: () => new Error("Too much."),
  });
  onTestFinished(() => thread.close());
  await expect(thread.client().grow()).rejects.toThrow("Too much.");
  expect(await thread.client().plain()).toBe(1);
});
