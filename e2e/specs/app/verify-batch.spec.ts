import { expect } from "@playwright/test";
import { leaveAnsweredBatches } from "../../fixtures/batches.ts";
import { readJsonLines } from "../../fixtures/files.ts";
import { hostsTest as test } from "../../fixtures/hosts-test.ts";
import { walkScreens } from "../../fixtures/screens.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";
import { VerificationPart } from "../../pages/verification-part.ts";

const lines = 200;
/** Of 200 answers as the fixture spoils them. */
const wrong = 26;

test("the answers of a batch are verified, and what came of it can be read, filtered and exported", async ({
  page,
  hosts,
  dataDir,
}) => {
  test.setTimeout(120_000);
  await leaveAnsweredBatches(dataDir, { "Grade school math": lines });
  const host = await hosts.start({ pace: "instant", dataDir });
  await page.goto(host.address);
  await new BatchesPage(page).open();
  await new BatchesPage(page).row("Grade school math").click();
  const batch = new BatchPage(page);
  const verification = new VerificationPart(page);

  await expect(page.getByRole("button", { name: "Verify answers" })).toBeEnabled();
  await page.keyboard.press("v");
  await expect(verification.dialog.getByRole("radio", { name: "Rules", exact: true })).toBeFocused();
  await expect(verification.dialog).toContainText("200 answers are checked against their prompts, on this computer.");
  await verification.start();
  const counts = await verification.expectDone(lines);
  expect(counts.Contradicted).toBeGreaterThanOrEqual(wrong - 1);
  expect(counts.Supported).toBeGreaterThan(120);

  await verification.show("Contradicted");
  await expect(batch.results.getByRole("row").nth(1)).toContainText("Contradicted");
  await batch.results.getByRole("row").nth(1).click();
  await batch.inspector.getByText("Verdict", { exact: true }).click();
  await expect(batch.inspector.getByRole("list", { name: "Claims" })).toContainText("Contradicted");
  const first = await batch.inspector.getAttribute("aria-label");
  await page.keyboard.press("j");
  await expect(batch.inspector).not.toHaveAccessibleName(first ?? "");
  await expect(batch.inspector.getByRole("list", { name: "Claims" })).toContainText("Contradicted");

  await page.getByRole("tab", { name: "Verification" }).click();
  await expect(page.getByRole("list", { name: "Answers by verdict" })).toContainText(`${counts.Contradicted}`);
  await expect(page.getByRole("list", { name: "Contradicted or not in the document" })).toContainText("Sum");
  await page.getByRole("button", { name: "Show lines: Not checkable" }).click();
  await expect(batch.results.getByRole("row").nth(1)).toContainText("Not checkable");

  const exported = await readJsonLines(await batch.exportResults());
  const found = exported.filter((line) => JSON.stringify(line).includes('"is_hallucination":true'));
  expect(found).toHaveLength(counts.Contradicted ?? 0);

  const address = new URL(page.url());
  await host.stop();
  const again = await hosts.start({ pace: "instant", dataDir });
  await page.goto(again.address);
  await page.goto(new URL(address.pathname, page.url()).href);
  expect(await verification.expectDone(lines)).toEqual(counts);
});

test("a verification by a model can be cancelled, and goes on where it was", async ({ page, hosts, dataDir }) => {
  await leaveAnsweredBatches(dataDir, { "Grade school math": 60 });
  const host = await hosts.start({ pace: "400", dataDir });
  await page.goto(host.address);
  await new BatchesPage(page).open();
  await new BatchesPage(page).row("Grade school math").click();
  const verification = new VerificationPart(page);
  await verification.open();
  await verification.dialog.getByRole("radio", { name: /^Model/ }).check();
  await expect(verification.dialog.getByRole("button", { name: "Verify answers" })).toBeDisabled();
  await verification.chooseModel("Llama 3.3 70B");
  await verification.start();
  await expect.poll(() => verification.share(), { timeout: 30_000 }).toBeGreaterThan(10);
  await page.getByRole("button", { name: "Cancel verification" }).click();
  await expect(page.getByText(/Verification stopped at \d+ of 60 answers/)).toBeVisible();
  await page.getByRole("button", { name: "Resume verification" }).click();
  await verification.expectDone(60);
});

walkScreens("verifying a batch can be used by everybody on every screen", async ({ page, hosts, dataDir, check }) => {
  await leaveAnsweredBatches(dataDir, { "Six of them": 6, "Grade school math": lines });
  const host = await hosts.start({ pace: "500", dataDir });
  await page.goto(host.address);
  await new BatchesPage(page).open();
  await new BatchesPage(page).row("Grade school math").click();
  const batch = new BatchPage(page);
  const verification = new VerificationPart(page);

  await verification.open();
  await check("verify-batch-dialog");
  await verification.dialog.getByRole("radio", { name: /^Rules, then a model/ }).check();
  await verification.chooseModel("Llama 3.3 70B");
  await check("verify-batch-dialog-model");
  await verification.dialog.getByRole("radio", { name: /^Model/ }).check();
  await verification.start();
  await expect.poll(() => verification.share(), { timeout: 30_000 }).toBeGreaterThan(5);
  await check("verify-batch-running");
  await page.getByRole("button", { name: "Cancel verification" }).click();
  await expect(page.getByText(/Verification stopped at/)).toBeVisible();
  await check("verify-batch-stopped");

  await verification.open();
  await verification.dialog
    .getByRole("radio", { name: /^Rules/ })
    .first()
    .check();
  await verification.start();
  await verification.expectDone(lines);
  await check("verify-batch-done");
  await verification.show("Contradicted");
  await expect(batch.results.getByRole("row").nth(2)).toContainText(/\d/);
  await batch.results.getByRole("row").nth(2).click();
  await batch.inspector.getByText("Verdict", { exact: true }).click();
  await expect(batch.inspector.getByRole("list", { name: "Claims" })).toBeVisible();
  await check("verify-batch-line");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Verification" }).click();
  await expect(page.getByRole("list", { name: "Answers by verdict" })).toBeVisible();
  await check("verify-batch-chart");

  await new BatchesPage(page).open();
  await new BatchesPage(page).row("Six of them").click();
  await verification.open();
  await verification.start();
  await verification.expectDone(6);
  await page.getByRole("tab", { name: "Verification" }).click();
  await expect(page.getByText("No claim is contradicted.")).toBeVisible();
  await check("verify-batch-chart-empty");
  await page.getByRole("tab", { name: "Results" }).click();
  await verification.show("Contradicted");
  await expect(page.getByText("No answer is contradicted")).toBeVisible();
  await check("verify-batch-filter-empty");
});
