import { LLMock } from "@copilotkit/aimock";
import { expect } from "@playwright/test";
import { z } from "zod";
import { withServer } from "../../fixtures/batches.ts";
import { readJsonLines } from "../../fixtures/files.ts";
import { walkScreens } from "../../fixtures/screens.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";
import { BuildPage } from "../../pages/build-page.ts";
import { SettingsPage } from "../../pages/settings-page.ts";

const questions = 200;
const answerSchema = z.object({ custom_id: z.string(), response: z.object({ status_code: z.int() }).nullable() });

walkScreens("200 questions run at a batch service and at a chat server while the app is closed", async (parts) => {
  const { page, hosts, dataDir, viewport, check } = parts;
  const chat = new LLMock({ port: 0 });
  // Slow enough that the app is closed before the end on any machine.
  chat.onMessage(/(?:)/, { content: "#### 42" }, { chaos: { latencyMs: 1_000 } });
  const chatUrl = await chat.start();
  const faulty = ["--tier", "free", "--pace", "40", "--failure-rate", "0.05", "--ephemeral"];
  await withServer(faulty, async (service) => {
    // Keys outlive the app that they were typed into.
    const secrets = { SHEAF_SECRETS: "file", SHEAF_PASSPHRASE: "a passphrase of this test" };
    const first = await hosts.start({ pace: "instant", dataDir, env: secrets });
    await page.goto(first.address);
    const build = new BuildPage(page);
    const batches = new BatchesPage(page);
    const batch = new BatchPage(page);
    const settings = new SettingsPage(page);

    const connect = async (service: RegExp, name: string, fields: Readonly<Record<string, string>>) => {
      await settings.add(service);
      await settings.dialog.getByRole("button", { name: /^Limits/ }).click();
      await settings.fill({ Name: name, "Input, all models": "2", "Output, all models": "8", ...fields });
      await settings.save();
      await expect(settings.report(name)).toContainText("All that batches need works.");
    };
    await settings.open();
    await connect(/^Another Sheaf/, "Second desk", { Address: `${service.url}/v1`, Key: service.apiKey });
    const slow = { "Calls at a time": "4" };
    await connect(/^Another chat/, "Chat", { Address: `${chatUrl}/v1`, ...slow });
    await expect(page.locator("body")).not.toContainText(service.apiKey);

    for (const where of ["Second desk", "Chat"]) {
      await page.keyboard.press("ControlOrMeta+k");
      await page
        .getByRole("searchbox")
        .or(page.getByPlaceholder("Search, or run a command"))
        .first()
        .fill("200-question");
      await page.keyboard.press("Enter");
      await build.chooseConnection(where);
      // A model that the connection does not list is no longer chosen, and can be typed.
      const model = build.prompt.getByRole("combobox", { name: "Model", exact: true });
      await model.fill("klusterai/Meta-Llama-3.3-70B-Instruct-Turbo");
      await model.press("Escape");
      await page.getByRole("textbox", { name: "Name of the batch" }).fill(`Math at ${where}`);
      await build.expectNoProblems(String(questions));
      await expect(page.locator("footer")).toContainText("$");
      await build.submit();
    }
    await first.stop();
    expect(chat.getRequests().length, "questions asked when the app was closed").toBeLessThan(questions);
    chat.clearFixtures();
    chat.onMessage(/(?:)/, { content: "#### 42" });

    const second = await hosts.start({ pace: "instant", dataDir, env: secrets });
    await page.goto(second.address);
    await expect(page.getByText("quarantine")).toHaveCount(0);
    await batches.open();
    // What is looked at is asked for more often.
    await batches.row("Math at Second desk").click();
    await batch.expectDone();
    await batches.open();
    await expect(batches.row("Math at Chat")).toContainText("Done", { timeout: 60_000 });
    await expect(batches.row("Math at Second desk")).toContainText("Done", { timeout: 60_000 });
    for (const name of ["Math at Chat", "Math at Second desk"]) {
      await expect(batches.row(name)).toContainText(String(questions));
      if (viewport.width > 1000) await expect(batches.row(name)).toContainText("$");
    }
    await check("batches-connections");
    // Each question was asked once, besides those in flight when the app was closed.
    expect(chat.getRequests().length).toBeLessThanOrEqual(questions + 4);

    await fetch(`${service.url}/sheaf/faults`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    await batches.row("Math at Second desk").click();
    await page.getByRole("button", { name: /^Retry \d+ failed lines?$/ }).click();
    const root = page.getByRole("button", { name: "Retry of Math at Second desk" });
    await expect(root).toBeVisible();
    await batch.expectDone();
    await root.click();
    await page.getByRole("radiogroup").getByText("Merged results").click();
    await check("batch-merged");
    const path = await batch.exportResults();
    const lines = z.array(answerSchema).parse(await readJsonLines(path));
    expect(new Set(lines.map((line) => line.custom_id)).size).toBe(questions);
    expect(lines).toHaveLength(questions);
    expect(lines.every(({ response }) => response?.status_code === 200)).toBe(true);
  });
  await chat.stop();
});
