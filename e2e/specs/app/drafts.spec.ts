import type { Page } from "@playwright/test";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { projectFile } from "../../fixtures/files.ts";

appTest("a draft survives a reload as it was left, source and prompt included", async ({ page, buildPage }) => {
  await buildPage.open();
  await buildPage.chooseFile(projectFile("examples", "gsm8k-200.jsonl"));
  await buildPage.write("User message 1", "Only the number: {{ question }}");
  await page.getByRole("textbox", { name: "Name of the batch" }).fill("Numbers only");
  await buildPage.expectNoProblems("200");
  await expect(page.getByText(/^Draft kept/)).toBeVisible();

  await page.reload();

  await expect(page.getByRole("textbox", { name: "Name of the batch" })).toHaveValue("Numbers only");
  await expect(buildPage.source.getByText("gsm8k-200.jsonl", { exact: true })).toBeVisible();
  await expect(buildPage.prompt.getByRole("textbox", { name: "User message 1" })).toContainText("Only the number:");
  await buildPage.expectNoProblems("200");
});

appTest("what was typed last is kept, also when the page is left at once", async ({ page, buildPage }) => {
  await buildPage.open();
  await buildPage.write("User message 1", "Written in the last moment");
  await page.reload();
  const message = buildPage.prompt.getByRole("textbox", { name: "User message 1" });
  await expect(message).toContainText("Written in the last moment");
});

appTest(
  "the keys of Build hold at once when it was opened from the sidebar",
  async ({ page, buildPage, batchPage }) => {
    await buildPage.open();
    await buildPage.chooseFile(projectFile("examples", "gsm8k-200.jsonl"));
    await buildPage.write("User message 1", "Only the number: {{ question }}");
    await buildPage.expectNoProblems("200");
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: /^Batches/ })
      .click();
    await buildPage.open();
    await buildPage.expectNoProblems("200");

    await page.keyboard.press("ControlOrMeta+Enter");

    await expect(batchPage.results).toBeVisible();
  },
);

appTest.describe("a draft that is open in two tabs", () => {
  appTest(
    "is not saved over: the tab that comes second decides which of the two stays",
    async ({ page, buildPage }) => {
      await buildPage.open();
      const { other, otherName, name } = await openTwice(page);

      await otherName.fill("Theirs");
      await expect(other.getByText(/^Draft kept/)).toBeVisible();
      await name.fill("Mine");
      const conflict = page.getByRole("alert").filter({ hasText: "changed in another window" });
      await expect(conflict).toBeVisible();
      await name.fill("Mine, and more");
      await conflict.getByRole("button", { name: "Load the other" }).click();
      await expect(conflict).toBeHidden();
      await expect(name).toHaveValue("Theirs");
      await page.getByRole("button", { name: "Undo" }).click();
      await expect(name).toHaveValue("Mine, and more");
      await expect(page.getByText(/^Draft kept/)).toBeVisible();

      await otherName.fill("Theirs again");
      const otherConflict = other.getByRole("alert").filter({ hasText: "changed in another window" });
      await otherConflict.getByRole("button", { name: "Keep mine" }).click();
      await expect(otherConflict).toBeHidden();
      await expect(other.getByText(/^Draft kept/)).toBeVisible();
      await other.reload();
      await expect(otherName).toHaveValue("Theirs again");
    },
  );

  appTest("shows what the other tab kept as soon as one comes back to it", async ({ page, buildPage }) => {
    await buildPage.open();
    const { other, otherName, name } = await openTwice(page);
    await otherName.fill("Theirs");
    await expect(other.getByText(/^Draft kept/)).toBeVisible();
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await expect(name).toHaveValue("Theirs");
  });
});

async function openTwice(page: Page) {
  await page.waitForURL(/\/build\/draft_/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  const nameOn = (tab: Page) => tab.getByRole("textbox", { name: "Name of the batch" });
  await expect(nameOn(other)).toBeVisible();
  return { other, otherName: nameOn(other), name: nameOn(page) };
}
