import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { ServerPage } from "../../pages/server-page.ts";

async function expectUsable(page: Page, place: string): Promise<void> {
  // Away from everything that shows a tooltip.
  await page.mouse.move(0, 0);
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect.soft(violations.map(({ id, nodes }) => `${place}: ${id}: ${nodes.map((node) => node.html)}`)).toEqual([]);
}

const request = (id: string) =>
  JSON.stringify({
    custom_id: id,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", messages: [{ role: "user", content: "Why?" }] },
  });
const jsonl = (name: string, text: string) => ({ name, mimeType: "application/jsonl", buffer: Buffer.from(text) });

appTest.use({ permissions: ["clipboard-read", "clipboard-write"] });

appTest("Files checks what is uploaded, shows it, and asks before it is deleted", async ({ page }) => {
  const name = `three-${Date.now()}.jsonl`;
  await page.getByRole("link", { name: "Files" }).click();
  const upload = page.locator('main input[type="file"]');
  await upload.setInputFiles([
    jsonl("faulty.jsonl", '{"custom_id":\n'),
    jsonl(name, [request("a"), request("b"), request("c")].join("\n")),
  ]);
  const uploads = page.getByRole("list", { name: "Uploads" });
  await expect(uploads).toContainText("faulty.jsonl is not uploaded yet: 1 error");
  await expect(uploads.getByRole("list", { name: "What is wrong with the file" })).toContainText("Line 1:");
  await uploads.getByRole("button", { name: "Leave it" }).click();
  await expect(uploads).toContainText(`${name} is uploaded: 3 requests, no errors`);

  await page.keyboard.press("/");
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("grid", { name: "Files" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const inspector = page.getByRole("complementary", { name: "File" });
  await expect(inspector.getByRole("region", { name: "First lines" })).toContainText('"custom_id":"c"');
  await expectUsable(page, "Files");
  const download = page.waitForEvent("download");
  await inspector.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe(name);
  await inspector.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByRole("dialog")).toContainText("No batch needs it");
  await page.getByRole("button", { name: "Delete the file" }).click();
  await expect(inspector).toBeHidden();
  await expect(page.getByRole("grid", { name: "Files" })).not.toContainText(name);
});

appTest("Playground answers, asks an edited question anew, and hands its prompt to Build", async ({ page }) => {
  await page.getByRole("link", { name: "Playground" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toBeFocused();
  await page.keyboard.type("Why is the sky blue?");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/answer tokens · /)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/answer tokens · /)).toBeVisible();
  await expectUsable(page, "Playground");
  await page.getByRole("button", { name: "Edit the question" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("Why is grass green?");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("region", { name: "Question" })).toHaveText(/grass green/);
  await expect(page.getByText(/answer tokens · /)).toHaveCount(1);
  await page.getByRole("button", { name: "Add to a batch" }).click();
  await expect(page).toHaveURL(/\/build\//);
  await expect(page.getByRole("textbox", { name: "User message" })).toContainText("Why is grass green?");
});

appTest("Server answers by rules that are written there, and shows what it was asked", async ({ page }) => {
  const server = new ServerPage(page);
  await server.open();
  const address = await server.start();
  const key = await server.copy(server.mock, "Copy the key");
  const controls = page.getByRole("region", { name: "Behaviour" });
  await controls.getByRole("radiogroup", { name: "Engine" }).getByText("Scripted").click();
  const editor = controls.getByRole("textbox", { name: /^Rules of the scripted engine/ });
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("rules:\n  - reply: { txt: Soon. }");
  await expect(controls.getByRole("list", { name: "What is wrong with the rules" })).toContainText("Line 2");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("rules:\n  - reply: { text: Soon. }");
  await controls.getByRole("button", { name: "Use these rules" }).click();
  await expect(controls).toContainText("1 rule in force");
  const ask = async () =>
    await fetch(`${address}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
        messages: [{ role: "user", content: "When?" }],
      }),
    });
  expect(await (await ask()).text()).toContain("Soon.");
  await controls.getByRole("textbox", { name: "Fail with an error" }).fill("100");
  await page.keyboard.press("Enter");
  await expect(controls.getByRole("button", { name: "Switch all faults off" })).toBeEnabled();
  await expect.poll(async () => (await ask()).status).toBe(500);
  await controls.getByRole("button", { name: "Switch all faults off" }).click();
  await expectUsable(page, "Server");

  await page.getByRole("radiogroup", { name: "What to see of the server" }).getByText("Requests").click();
  await expect(page.getByRole("grid", { name: "Requests" })).toBeFocused();
  await expect(page.getByRole("grid", { name: "Requests" })).toContainText("/v1/chat/completions");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  const inspector = page.getByRole("complementary", { name: "Request" });
  await expect(inspector.getByRole("region", { name: "Response body" })).toContainText("Soon.");
  await expect(inspector).not.toContainText(key);
  await expectUsable(page, "Requests");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("grid", { name: "Requests" })).toBeFocused();
});
