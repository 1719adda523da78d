import { expect } from "@playwright/test";
import { walkApp } from "../../fixtures/screens.ts";

const request = (id: string) =>
  JSON.stringify({
    custom_id: id,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", messages: [{ role: "user", content: "Why?" }] },
  });
const jsonl = (name: string, text: string) => ({ name, mimeType: "application/jsonl", buffer: Buffer.from(text) });

walkApp("Files checks what is uploaded, shows it, and asks before it is deleted", async ({ page, check }) => {
  const name = "three.jsonl";
  await page.getByRole("link", { name: "Files" }).click();
  const upload = page.locator('main input[type="file"]');
  await upload.setInputFiles([
    jsonl("faulty.jsonl", '{"custom_id":\n'),
    jsonl(name, [request("a"), request("b"), request("c")].join("\n")),
  ]);
  const uploads = page.getByRole("list", { name: "Uploads" });
  await expect(uploads).toContainText("faulty.jsonl is not uploaded yet: 1 error");
  await expect(uploads.getByRole("list", { name: "What is wrong with the file" })).toContainText("Line 1:");
  await uploads.getByRole("button", { name: "Don’t upload" }).click();
  await expect(uploads).toContainText(`${name} is uploaded: 3 requests, no errors`);

  await page.keyboard.press("/");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("grid", { name: "Files" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const inspector = page.getByRole("complementary", { name: "File" });
  await expect(inspector.getByRole("region", { name: "First lines" })).toContainText('"custom_id":"c"');
  await check("files-file");
  const download = page.waitForEvent("download");
  await inspector.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe(name);
  await inspector.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByRole("dialog")).toContainText("No batch needs it");
  await page.getByRole("button", { name: "Delete the file" }).click();
  await expect(inspector).toBeHidden();
  await expect(page.getByRole("grid", { name: "Files" })).not.toContainText(name);
});

walkApp("Playground answers, asks an edited question anew, and hands its prompt to Build", async ({ page, check }) => {
  await page.getByRole("link", { name: "Playground" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toBeFocused();
  await page.keyboard.type("Why is the sky blue?");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/answer tokens · /)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/answer tokens · /)).toBeVisible();
  await check("playground");
  await page.getByRole("button", { name: "Edit the question" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("Why is grass green?");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("article", { name: "Question" })).toHaveText(/grass green/);
  await expect(page.getByText(/answer tokens · /)).toHaveCount(1);
  await page.getByRole("button", { name: "Add to a batch" }).click();
  await expect(page).toHaveURL(/\/build\//);
  await expect(page.getByRole("textbox", { name: "User message" })).toContainText("Why is grass green?");
});
