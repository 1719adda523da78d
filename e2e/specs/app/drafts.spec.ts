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
      .getByRole("navigation", { name: "Places" })
      .getByRole("link", { name: /^Batches/ })
      .click();
    await buildPage.open();
    await buildPage.expectNoProblems("200");

    await page.keyboard.press("ControlOrMeta+Enter");

    await expect(batchPage.results).toBeVisible();
  },
);
