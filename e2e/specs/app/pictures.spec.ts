import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { leaveFailedBatch } from "../../fixtures/failed-batch.ts";
import { projectFile } from "../../fixtures/files.ts";
import { hostsTest as test } from "../../fixtures/hosts-test.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";
import { BuildPage } from "../../pages/build-page.ts";

/** Pictures of every screen, in `test-results/pictures`. With SHEAF_PICTURES=1 those of the README are renewed, too. */
const folder = projectFile("test-results", "pictures");
const inReadme: Readonly<Record<string, string>> = {
  "batch-running-light-1440": "batch-running.png",
  "batch-running-dark-1440": "batch-running-dark.png",
  "build-full-light-1440": "build.png",
};

const sizes = [
  { width: 900, height: 600 },
  { width: 1440, height: 900 },
] as const;

for (const colorScheme of ["light", "dark"] as const) {
  for (const viewport of sizes) {
    test.describe(`in ${colorScheme}, ${viewport.width} wide`, () => {
      test.use({ colorScheme, viewport, contextOptions: { reducedMotion: "reduce" } });

      test("every screen is sound, and pictured", async ({ page, hosts, dataDir }) => {
        test.setTimeout(180_000);
        const keep = (name: string) => picture(page, `${name}-${colorScheme}-${viewport.width}`);
        const build = new BuildPage(page);
        const batches = new BatchesPage(page);
        const batch = new BatchPage(page);

        const before = await hosts.start({ pace: "100", dataDir });
        await page.goto(before.address);
        await expect(page.getByRole("button", { name: "Try the 200-question example" })).toBeVisible();
        await keep("batches-empty");
        await build.open();
        await keep("build-empty");
        await before.stop();
        await expect(page.getByRole("button", { name: "Reconnecting…" })).toBeVisible();
        await keep("build-disconnected");

        await leaveFailedBatch(dataDir);
        const host = await hosts.start({ pace: "100", dataDir });
        await page.goto(host.address);
        await batches.open();
        await batches.row("broken-batch").click();
        await expect(page.getByText("Nothing ran")).toBeVisible();
        await keep("batch-failed");

        await build.open();
        await build.dropFile(projectFile("examples", "gsm8k-1319.jsonl"));
        await build.write("User message 1", "{{ qestion }}");
        await build.show("Problems");
        await expect(build.problems.getByText(/qestion/).first()).toBeVisible();
        await keep("build-problems");
        await build.write("User message 1", "{{ question }}");
        await build.prompt.getByRole("button", { name: "Add system message" }).click();
        await build.write("System message 1", "Solve the problem step by step. End with the number alone.");
        await build.expectNoProblems("1,319");
        await build.show("Preview");
        await expect(build.preview).toContainText("gsm8k-0001");
        await keep("build-preview");
        await build.show("Source");
        await page.getByRole("textbox", { name: "Name of the batch" }).fill("Math questions, first pass");
        await keep("build-full");

        await build.submit();
        await expect.poll(() => batch.answered(), { timeout: 30_000 }).toBeGreaterThan(30);
        if (viewport.width > 1000) await batch.openLine(7);
        await keep("batch-running");
        await batch.openLine(3);
        await page.getByRole("radiogroup").getByText("Response").click();
        await keep("batch-line");
        await page.keyboard.press("Escape");
        await batch.expectDone();
        await keep("batch-done");
        await page.getByRole("tab", { name: "Raw" }).click();
        await keep("batch-raw");

        await batches.open();
        await expect(batches.table.getByRole("row")).toHaveCount(3);
        await keep("batches-full");
        await page.keyboard.press("ControlOrMeta+k");
        await expect(page.getByRole("dialog")).toBeVisible();
        await keep("commands");
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toBeHidden();
        await page.keyboard.press("Shift+?");
        await expect(page.getByRole("dialog")).toBeVisible();
        await keep("shortcuts");
      });
    });
  }
}

/** Takes a picture, and asks axe whether everybody can use what is on it. No page scrolls sideways. */
async function picture(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  // Away from everything that shows a tooltip.
  await page.mouse.move(0, 0);
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  );
  await page.screenshot({ path });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect.soft(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map((node) => node.html)}`)).toEqual([]);
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
  const shown = inReadme[name];
  if (process.env.SHEAF_PICTURES === "1" && shown !== undefined) {
    await mkdir(projectFile("docs", "pictures"), { recursive: true });
    await copyFile(path, projectFile("docs", "pictures", shown));
  }
}
