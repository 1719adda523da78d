import { expect } from "@playwright/test";
import { leaveFailedBatch } from "../../fixtures/failed-batch.ts";
import { projectFile } from "../../fixtures/files.ts";
import { hostsTest as test } from "../../fixtures/hosts-test.ts";
import { pictureSizes, takePicture } from "../../fixtures/picture.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";
import { BuildPage } from "../../pages/build-page.ts";

for (const colorScheme of ["light", "dark"] as const) {
  for (const viewport of pictureSizes) {
    test.describe(`in ${colorScheme}, ${viewport.width} wide`, () => {
      test.use({ colorScheme, viewport, contextOptions: { reducedMotion: "reduce" } });

      test("every screen is sound, and pictured", async ({ page, hosts, dataDir }) => {
        test.setTimeout(180_000);
        const keep = (name: string) => takePicture(page, `${name}-${colorScheme}-${viewport.width}`);
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
