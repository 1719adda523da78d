/**
 * How fast the page is in Chromium, on a batch of a million lines and a gigabyte of results, and on a table of 100,000 rows in
 * Build. `npm run bench -- ui 20000` takes fewer of both. The page is the one of `npm run build`; `SHEAF_CHROMIUM` names a browser.
 */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { startWebHost } from "../e2e/fixtures/web-host.ts";
import { batchId, writeBatch } from "./results/write-batch.ts";

const lines = Number(process.argv[3] ?? 1_000_000);
const tableRows = Math.min(lines, 100_000);
const folder = await mkdtemp(join(tmpdir(), "sheaf-ui-"));
const dataDir = join(folder, "data");

await writeBatch(dataDir, lines);
const table = await writeTable(join(folder, "letters.csv"));
const host = await startWebHost({ pace: "instant", dataDir });
const executablePath = process.env.SHEAF_CHROMIUM;
const browser = await chromium.launch({ args: ["--no-sandbox"], ...(executablePath && { executablePath }) });
try {
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `Chromium ${browser.version()}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${load}, ${lines} lines`,
  );
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(120_000);
  await measureStart(page);
  await measurePlaces(page);
  await measureResults(page);
  await measureTyping(page);
} finally {
  await browser.close();
  await host.stop();
  await rm(folder, { recursive: true });
}

function report(what: string, milliseconds: number): void {
  console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Opened once before, so that the code of the address is exchanged and the scripts are compiled. */
async function measureStart(page: Page): Promise<void> {
  const navigation = page.getByRole("navigation").first();
  await page.goto(host.address);
  await navigation.waitFor();
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.goto("about:blank");
    const start = performance.now();
    await page.goto(new URL(host.address).origin, { waitUntil: "commit" });
    await navigation.getByRole("link", { name: "Batches" }).waitFor();
    times.push(performance.now() - start);
  }
  report("interactive", median(times));
}

/** From the click until the place is drawn, as the page itself sees it. */
async function measurePlaces(page: Page): Promise<void> {
  const places = ["Batches", "Files", "Verify", "Playground", "Server", "Settings", "Home"];
  const times: number[] = [];
  // The first visit loads the place's script.
  for (const isMeasured of [false, true]) {
    for (const name of places) {
      const link = page.getByRole("navigation").first().getByRole("link", { name, exact: true });
      const took = await link.evaluate(goTo);
      if (isMeasured) times.push(took);
      await page.waitForTimeout(300);
    }
  }
  report("place to place", median(times));
  report("place to place, at most", Math.max(...times));
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
  const { origin } = new URL(host.address);
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
  const { frames, dropped } = await grid.evaluate(scroll);
  console.log(`frames dropped while scrolling: ${dropped} of ${frames} (${((dropped / frames) * 100).toFixed(1)} %)`);
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
async function measureTyping(page: Page): Promise<void> {
  await page.goto(`${new URL(host.address).origin}/build`);
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
