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

walkApp("The guide is searched and read here, and About shows what it copies", async ({ page, check }) => {
  await page.keyboard.press("F1");
  const field = page.getByRole("textbox", { name: "Search the guide" });
  await expect(field).toBeFocused();
  await page.keyboard.type("deadline cancelled");
  const contents = page.getByRole("navigation", { name: "Contents" });
  await expect(contents.getByRole("status")).toHaveText(/^\d+ found$/);
  await check("guide-search");
  await page.keyboard.press("ArrowDown");
  await contents.getByRole("button", { name: /^A batch at a service/ }).press("Enter");
  const article = page.getByRole("article", { name: "Connections" });
  await expect(article).toBeFocused();
  await expect(article.getByRole("heading", { name: "A batch at a service" })).toBeInViewport();
  await field.press("Escape");
  await contents.getByRole("button", { name: "A guide for analysts" }).click();
  const guide = page.getByRole("article", { name: "A guide for analysts" });
  await guide.getByRole("button", { name: "Connections" }).first().click();
  await expect(article).toBeVisible();
  await page.goBack();
  await expect(guide).toBeVisible();
  await check("guide");

  await page.keyboard.press("ControlOrMeta+,");
  await page.getByRole("button", { name: "Copy diagnostics…" }).click();
  const diagnostics = page.getByRole("dialog", { name: "Diagnostics" });
  await expect(diagnostics).toContainText("health: none");
  await check("diagnostics");
  await diagnostics.getByRole("button", { name: "Copy" }).click();
  await expect(diagnostics.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await diagnostics.locator("pre").textContent());
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show licences" }).click();
  const licences = page.getByRole("dialog", { name: "Licences" });
  await licences.getByRole("textbox").fill("fastify-plugin");
  await expect(licences.getByRole("status")).toHaveText("1 package found");
  await licences.getByText("fastify-plugin").click();
  await expect(licences).toContainText("Permission is hereby granted");
  await check("licences");
});
