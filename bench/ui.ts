/**
 * How fast the page is in Chromium, on a batch of a million lines and a gigabyte of results, on a table of 100,000 rows in
 * Build, and on 50,000 lines while they run. `npm run bench -- ui 20000` takes fewer of each; `ui running` the last alone. The
 * page is the one of `npm run build`; `SHEAF_CHROMIUM` names a browser.
 */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { startWebHost } from "../e2e/fixtures/web-host.ts";
import { withHostOf } from "../e2e/fixtures/world.ts";
import { upload } from "../src/main/app/testing/app-fixture.ts";
import { batchId, writeBatch } from "./results/write-batch.ts";

const [, , , size = "1000000"] = process.argv;
const isRunningAlone = size === "running";
const lines = isRunningAlone ? 50_000 : Number(size);
const tableRows = Math.min(lines, 100_000);
const runningLines = Math.min(lines, 50_000);

const classification = JSON.stringify({
  type: "object",
  properties: { topic: { enum: ["billing", "bug", "login"] }, urgent: { type: "boolean" }, reason: { type: "string" } },
  required: ["topic", "urgent", "reason"],
  additionalProperties: false,
});

const executablePath = process.env.SHEAF_CHROMIUM;
const browser = await chromium.launch({ args: ["--no-sandbox"], ...(executablePath && { executablePath }) });
try {
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `Chromium ${browser.version()}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${load}, ${lines} lines`,
  );
  if (!isRunningAlone) await measureAtRest(browser);
  // As fast as a hosted service at its best, and as fast as this computer can.
  for (const pace of ["20", "instant"]) await measureRunning(browser, pace);
} finally {
  await browser.close();
}

/** With a batch that has ended. */
async function measureAtRest(browser: Browser): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-ui-"));
  const dataDir = join(folder, "data");
  await writeBatch(dataDir, lines);
  const table = await writeTable(join(folder, "letters.csv"));
  const host = await startWebHost({ pace: "instant", dataDir });
  try {
    const page = await openPage(browser);
    await measureStart(page, host.address);
    await measurePlaces(page, "place to place");
    await measureResults(page);
    await measureTyping(page, table);
    await page.close();
  } finally {
    await host.stop();
    await rm(folder, { recursive: true });
  }
}

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(120_000);
  return page;
}

/** With a batch that runs: letters that are sorted by a schema. */
async function measureRunning(browser: Browser, pace: string): Promise<void> {
  const host = await startWebHost({ pace });
  try {
    const page = await openPage(browser);
    await page.goto(host.address);
    await page.getByRole("navigation").first().waitFor();
    // The first visit of a place loads its script.
    await visitPlaces(page);
    let id = "";
    await withHostOf(page, async (client) => {
      const rows = Array.from(
        { length: runningLines },
        (_, at) => `${at + 1},The parcel ${at + 1} came three days late.`,
      );
      const table = new TextEncoder().encode(`id,letter\n${rows.join("\n")}\n`);
      const source = await upload(client, table, "letters.csv");
      const template = {
        messages: [{ role: "user" as const, content: "Sort this letter: {{ letter }}" }],
        connectionId: null,
        model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
        temperature: null,
        maxCompletionTokens: null,
        customId: "{{ id }}",
        answerFormat: { type: "json_schema" as const, name: "letter", schema: classification, strict: true },
      };
      for await (const event of await client.build.submit({ sourceId: source.id, template, name: "letters" }))
        if (event.phase === "submitted") id = event.batchId;
    });
    await page.goto(`${new URL(host.address).origin}/batches/${id}`);
    const grid = page.getByRole("grid", { name: "Results" });
    await grid.getByText("billing").first().waitFor();
    await page.evaluate(watchTasks);
    console.log(`lines run at the pace ${pace}`);
    reportFrames("frames dropped while lines run", await grid.evaluate(scroll));
    await measurePlaces(page, "place to place while lines run", false);
    report("longest task of the page while lines run", await page.evaluate("globalThis.longestTask"));
    await withHostOf(page, async ({ batches }) => {
      const { status, counts } = await batches.get({ id });
      console.log(`then: ${status}, ${counts.completed} of ${counts.total} lines answered`);
    });
  } finally {
    await host.stop();
  }
}

/** Takes note of the longest task from here on. */
function watchTasks(): void {
  const state = globalThis as { longestTask?: number };
  state.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) state.longestTask = Math.max(state.longestTask ?? 0, duration);
  }).observe({ type: "longtask" });
}

function report(what: string, milliseconds: number): void {
  console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
}

function reportFrames(what: string, { frames, dropped }: { readonly frames: number; readonly dropped: number }): void {
  console.log(`${what}: ${dropped} of ${frames} (${((dropped / frames) * 100).toFixed(1)} %)`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Opened once before, so that the code of the address is exchanged and the scripts are compiled. */
async function measureStart(page: Page, address: string): Promise<void> {
  const navigation = page.getByRole("navigation").first();
  await page.goto(address);
  await navigation.waitFor();
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.goto("about:blank");
    const start = performance.now();
    await page.goto(new URL(address).origin, { waitUntil: "commit" });
    await navigation.getByRole("link", { name: "Batches" }).waitFor();
    times.push(performance.now() - start);
  }
  report("interactive", median(times));
}

/** From the click until the place is drawn, as the page itself sees it. The first visit of a place loads its script. */
async function measurePlaces(page: Page, what: string, isFirstVisit = true): Promise<void> {
  if (isFirstVisit) await visitPlaces(page);
  const times = await visitPlaces(page);
  report(what, median(times));
  report(`${what}, at most`, Math.max(...times));
}

async function visitPlaces(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const name of ["Batches", "Files", "Verify", "Playground", "Server", "Settings", "Home"]) {
    const link = page
      .getByRole("navigation")
      .first()
      .getByRole("link", { name: new RegExp(`^${name}`) });
    times.push(await link.evaluate(goTo));
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  }
  return times;
}

function goTo(link: HTMLElement | SVGElement): Promise<number> {
  const start = performance.now();
  const before = document.querySelector("main")?.innerHTML;
  const from = location.pathname;
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, button: 0 }));
  return new Promise((resolve) => {
    const look = () => {
      const content = document.querySelector("main")?.innerHTML ?? "";
      const isThere = location.pathname !== from && content !== "" && content !== before;
      if (isThere || performance.now() - start > 5_000) resolve(performance.now() - start);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

async function measureResults(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  const grid = page.getByRole("grid", { name: "Results" });
  const open = async (): Promise<number> => {
    const start = performance.now();
    await page.goto(`${origin}/batches/${batchId}`, { waitUntil: "commit" });
    await grid.getByText("Sort letter 1 by").first().waitFor();
    return performance.now() - start;
  };
  report("first rows, index made from the files", await open());
  await page.goto("about:blank");
  report("first rows, once indexed, with the page's own start", await open());
  await grid.focus();
  for (const key of ["End", "Home"]) {
    const wanted = { key, text: `Sort letter ${key === "End" ? lines : 1} by` };
    report(`jump with ${key}`, await grid.evaluate(jump, wanted));
  }
  reportFrames("frames dropped while scrolling", await grid.evaluate(scroll));
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  console.log(`page heap: ${(usedSize / 1e6).toFixed(0)} MB`);
}

/** From the key until the row it leads to is drawn, with what is in it. */
function jump(grid: HTMLElement | SVGElement, { key, text }: { key: string; text: string }): Promise<number> {
  const start = performance.now();
  grid.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  return new Promise((resolve) => {
    const look = () => {
      const isThere = grid.textContent?.includes(text);
      if (isThere || performance.now() - start > 5_000) resolve(performance.now() - start);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Scrolls the table for three seconds; a frame that comes two periods after the one before has one dropped. */
async function scroll(grid: HTMLElement | SVGElement): Promise<{ frames: number; dropped: number }> {
  const all = [grid, ...grid.querySelectorAll<HTMLElement>("*")];
  const scroller = all.find(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 100) ?? grid;
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  const period = 1_000 / 60;
  let [last, frames, dropped] = [await nextFrame(), 0, 0];
  for (const until = last + 3_000; last < until; ) {
    scroller.scrollTop += 60;
    const now = await nextFrame();
    const late = Math.max(0, Math.round((now - last) / period) - 1);
    frames += 1 + late;
    dropped += late;
    last = now;
  }
  return { frames, dropped };
}

/** Types into the prompt with a table loaded; the time of a key is that from its press to the frame that shows it. */
async function measureTyping(page: Page, table: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/build`);
  await page.locator('input[type="file"]').first().setInputFiles(table);
  await page
    .getByText(new RegExp(tableRows.toLocaleString("en")))
    .first()
    .waitFor();
  const editor = page.locator(".cm-content").first();
  await editor.click();
  const times: number[] = [];
  for (const key of "Sort this letter by its mood") {
    await page.evaluate(watchKey);
    await page.keyboard.press(key === " " ? "Space" : key);
    times.push(await page.evaluate("globalThis.shownKey"));
  }
  const worst = Math.max(...times);
  console.log(`a key with ${tableRows} rows loaded: ${median(times).toFixed(0)} ms, at most ${worst.toFixed(0)} ms`);
}

function watchKey(): void {
  const shown = new Promise<number>((resolve) => {
    const onKey = () => {
      const start = performance.now();
      // The second frame begins when the first, with the key in it, was drawn.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
    };
    addEventListener("keydown", onKey, { capture: true, once: true });
  });
  Object.assign(globalThis, { shownKey: shown });
}

async function writeTable(path: string): Promise<string> {
  const file = createWriteStream(path);
  file.write("id,letter,stars\n");
  for (let row = 1; row <= tableRows; row++) {
    if (!file.write(`${row},The parcel ${row} reached the harbour three days late.,${row % 5}\n`))
      await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  return path;
}
