import type { Locator, Page } from "@playwright/test";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { runAnsweredBatches } from "../../fixtures/batches.ts";

/** Goes to a page by its link in the rail, with the keyboard. */
async function go(page: Page, name: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: new RegExp(`^${name}`) })
    .focus();
  await page.keyboard.press("Enter");
}

/** Opens the next row of a list, and comes back to the list with Escape. */
async function openNextRow(page: Page, list: Locator, inspector: string): Promise<void> {
  await expect(list).toBeFocused();
  await expect(list.getByRole("row").nth(1)).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const opened = page.getByRole("complementary", { name: inspector });
  await expect(opened).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opened).toBeHidden();
  await expect(list).toBeFocused();
}

appTest("every place is used with the keyboard alone", async ({ page, host }) => {
  await runAnsweredBatches(host, { Questions: 20 });
  await page.reload();
  const grid = (name: string) => page.getByRole("grid", { name });
  const inPlace = page.locator("main :focus");
  await expect(page.getByRole("button", { name: "New batch" })).toBeFocused();
  const finished = page.getByRole("main").getByRole("button", { name: /Questions/ });
  await expect(finished).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(finished).toBeFocused();

  await go(page, "Batches");
  await expect(grid("Batches")).toBeFocused();
  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(grid("Batches")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await openNextRow(page, grid("Results"), "Line 1");
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(grid("Batches")).toBeFocused();

  await go(page, "Files");
  await openNextRow(page, grid("Files"), "File");
  await go(page, "Server");
  await expect(inPlace).toHaveCount(1);
  await go(page, "Playground");
  await expect(page.getByRole("textbox", { name: "Message" })).toBeFocused();

  await go(page, "Settings");
  await expect(inPlace).toHaveCount(1);
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog").getByLabel("Service").first()).toBeFocused();
  // The first one closes the list of services.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(inPlace).toHaveCount(1);

  await go(page, "Build");
  await expect(inPlace).toHaveCount(1);
  await go(page, "Home");
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/\/build\//);
  await expect(inPlace).toHaveCount(1);

  await go(page, "Verify");
  await expect(page.getByRole("textbox", { name: "Prompt" })).toBeFocused();
});
