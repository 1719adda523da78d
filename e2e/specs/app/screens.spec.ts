import { expect } from "@playwright/test";
import { leaveFailedBatch } from "../../fixtures/batches.ts";
import { projectFile } from "../../fixtures/files.ts";
import { walkScreens } from "../../fixtures/screens.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";
import { BuildPage } from "../../pages/build-page.ts";

walkScreens("every screen can be used by everybody", async ({ page, hosts, dataDir, viewport, check }) => {
  const build = new BuildPage(page);
  const batches = new BatchesPage(page);
  const batch = new BatchPage(page);

  const before = await hosts.start({ pace: "50", dataDir });
  await page.goto(before.address);
  await expect(page.getByRole("heading", { name: "Start with an example" })).toBeVisible();
  await check("home-empty");
  await batches.open();
  await check("batches-empty");
  await build.open();
  await check("build-empty");
  await before.stop();
  await expect(page.getByText("Sheaf’s service does not answer.")).toBeVisible();
  await check("build-disconnected");

  await leaveFailedBatch(dataDir);
  const host = await hosts.start({ pace: "50", dataDir });
  await page.goto(host.address);
  await batches.open();
  await batches.row("broken-batch").click();
  await expect(page.getByText("Nothing ran")).toBeVisible();
  await check("batch-failed");

  await build.open();
  await build.dropFile(projectFile("examples", "gsm8k-1319.jsonl"));
  await build.write("User message 1", "{{ qestion }}");
  await build.show("Problems");
  await expect(build.problems.getByText(/qestion/).first()).toBeVisible();
  await check("build-problems");
  await build.write("User message 1", "{{ question }}");
  await build.prompt.getByRole("button", { name: "Add system message" }).click();
  await build.write("System message 1", "Solve the problem step by step. End with the number alone.");
  await build.expectNoProblems("1,319");
  await build.show("Preview");
  await expect(build.preview).toContainText("gsm8k-0001");
  await check("build-preview");
  await build.show("Source");
  await page.getByRole("textbox", { name: "Name of the batch" }).fill("Math questions, first pass");
  await check("build-full");

  await build.submit();
  await expect.poll(() => batch.answered(), { timeout: 30_000 }).toBeGreaterThan(30);
  if (viewport.width > 1000) await batch.openLine(7);
  await check("batch-running");
  await batch.openLine(3);
  await page.getByRole("radiogroup").getByText("Response").click();
  await check("batch-line");
  await page.keyboard.press("Escape");
  await batch.expectDone();
  await check("batch-done");
  await page.getByRole("tab", { name: "Raw" }).click();
  await check("batch-raw");

  await batches.open();
  await expect(batches.table.getByRole("row")).toHaveCount(3);
  await check("batches-full");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await check("commands");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await check("shortcuts");
});
