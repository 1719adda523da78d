import { writeFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { startStandIn } from "../../../src/main/connections/testing/stand-in.ts";
import { withServer } from "../../fixtures/batches.ts";
import { projectFile, readJsonLines } from "../../fixtures/files.ts";
import { hostsTest } from "../../fixtures/hosts-test.ts";
import { walkScreens } from "../../fixtures/screens.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BuildPage } from "../../pages/build-page.ts";
import { SettingsPage } from "../../pages/settings-page.ts";

walkScreens("a connection is added and tested, and answers a batch; its key is never shown", async (parts) => {
  const { page, hosts, check } = parts;
  const frames: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
  const host = await hosts.start({ pace: "instant" });
  await page.goto(host.address);
  const settings = new SettingsPage(page);
  await settings.open();
  await expect(settings.connections.getByRole("heading", { name: "No model is connected yet" })).toBeVisible();
  await check("settings-empty");

  await withServer(["--ephemeral"], async ({ url, apiKey }) => {
    await settings.add(/^Another Sheaf/);
    await settings.fill({ Name: "Lab", Address: "localhost", Key: `${apiKey}\u200b` });
    await settings.save();
    await expect(settings.dialog.getByText("It begins with http:// or https://.")).toBeVisible();
    await expect(settings.dialog.getByText("It has an invisible character (U+200B)")).toBeVisible();
    await settings.fill({ Address: `${url}/v1`, Key: "sk-wrong" });
    await settings.save();
    await expect(settings.report("Lab")).toContainText("Lab refused the key.");
    await check("settings-key-refused");
    await settings.connections.getByRole("button", { name: "Change Lab" }).click();
    const change = page.getByRole("dialog", { name: "Change “Lab”" });
    await change.getByRole("button", { name: "Replace key" }).click();
    await change.getByLabel("Key", { exact: true }).fill(` Bearer ${apiKey} `);
    await change.getByRole("button", { name: "Save and test" }).click();
    await expect(settings.report("Lab")).toContainText("All that batches need works.");

    await expect(settings.connections.getByText("Answers new batches", { exact: true })).toBeVisible();
    const build = new BuildPage(page);
    await build.open();
    const questions = await readJsonLines(projectFile("examples", "gsm8k-200.jsonl"));
    const table = test.info().outputPath("ten.jsonl");
    await writeFile(
      table,
      questions
        .slice(0, 10)
        .map((question) => `${JSON.stringify(question)}\n`)
        .join(""),
    );
    await build.dropFile(table);
    await build.write("User message 1", "{{ question }}");
    const model = build.prompt.getByLabel("Model", { exact: true });
    await model.fill("llama 405");
    const offered = page.getByRole("option", { name: /\// });
    await expect(offered).toHaveText(["klusterai/Meta-Llama-3.1-405B-Instruct-Turbo"]);
    await model.press("Escape");
    await expect(build.prompt.getByText("Not among the models it lists")).toBeVisible();
    await build.chooseConnection("This computer");
    await expect(model).toHaveValue("");
    await build.show("Problems");
    await expect(build.problems.getByText("Choose the model that answers")).toBeVisible();
    await build.chooseConnection("Lab");
    await model.click();
    await page.getByRole("option", { name: "deepseek-ai/DeepSeek-R1" }).click();
    await model.blur();
    await model.click();
    await expect(offered).toHaveCount(4);
    await page.getByRole("option", { name: "deepseek-ai/DeepSeek-R1" }).click();
    await build.expectNoProblems("10");
    await build.submit();
    const batch = new BatchPage(page);
    await expect(page.getByText("Done", { exact: true }).first()).toBeVisible();
    await expect(page.getByRole("main").getByText("Lab", { exact: true })).toBeVisible();
    await expect(batch.row(10)).toBeVisible();
    await check("batch-connection");

    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]));
    const shown = await page.content();
    expect([kept, shown, ...frames].filter((text) => text.includes(apiKey))).toEqual([]);
  });
});

hostsTest(
  "a server that is found and wants a key answers new batches once the key is right",
  async ({ page, hosts }) => {
    const refusal = {
      message: "An LM Studio API token is required.",
      type: "invalid_request",
      code: "invalid_api_key",
    };
    const listed = { object: "list", data: [{ id: "small", object: "model" }] };
    const studio = await startStandIn(({ path, headers }) => {
      if (headers.authorization !== "Bearer sk-right") return { status: 401, body: { error: refusal } };
      return path === "/v1/models" ? { body: listed } : { status: 404, body: {} };
    });
    const { address } = await hosts.start({ pace: "instant", modelPorts: `lm-studio=${new URL(studio.url).port}` });
    await page.goto(address);
    const settings = new SettingsPage(page);
    await settings.open();
    await page.getByRole("button", { name: "Find local models" }).click();
    await page.getByRole("button", { name: "Connect with its key… LM Studio" }).click();
    await expect(settings.dialog.getByLabel("Key", { exact: true })).toBeFocused();
    await page.keyboard.type("sk-wrong");
    await page.keyboard.press("Enter");
    await expect(settings.report("LM Studio")).toContainText("It can’t answer batches yet.");
    await expect(settings.connections.getByText("Answers new batches", { exact: true })).toHaveCount(0);

    await settings.connections.getByRole("button", { name: "Change LM Studio" }).click();
    const change = page.getByRole("dialog", { name: "Change “LM Studio”" });
    await change.getByRole("button", { name: "Replace key" }).click();
    await change.getByLabel("Key", { exact: true }).fill("sk-right");
    await change.getByRole("button", { name: "Save and test" }).click();
    await expect(settings.report("LM Studio")).toContainText("All that batches need works.");
    await expect(settings.connections.getByText("Answers new batches", { exact: true })).toBeVisible();
    await studio.close();
  },
);
