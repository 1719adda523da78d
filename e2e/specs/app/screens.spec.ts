import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import {
  prepareReviews,
  runAnsweredBatches,
  runBrokenBatch,
  runFaultyBatch,
  withServer,
} from "../../fixtures/batches.ts";
import { projectFile } from "../../fixtures/files.ts";
import { walkPictures, walkScreens } from "../../fixtures/screens.ts";
import { connect, submitExample, withHostOf } from "../../fixtures/world.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";
import { BuildPage } from "../../pages/build-page.ts";
import { GradingPart } from "../../pages/run-part.ts";
import { SettingsPage } from "../../pages/settings-page.ts";

walkScreens("every screen can be used by everybody", async ({ page, hosts, dataDir, viewport, pictured, check }) => {
  const build = new BuildPage(page);
  const batches = new BatchesPage(page);
  const batch = new BatchPage(page);

  const before = await hosts.start({ pace: "instant", dataDir });
  await page.goto(before.address);
  await expect(page.getByRole("heading", { name: "Start with an example" })).toBeVisible();
  await check("home-empty");
  await batches.open();
  await check("batches-empty");
  await build.open();
  await check("build-empty");
  await withHostOf(page, (client) => runBrokenBatch({ client }));
  await before.stop();
  await expect(page.getByText("Sheaf’s service does not answer.")).toBeVisible();
  await check("build-disconnected");

  const host = await hosts.start({ pace: "instant", dataDir });
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
  await build.show("Preview");
  await build.preview.getByRole("button", { name: "Try 10 rows" }).click();
  await expect(build.preview.getByRole("rowheader", { name: "gsm8k-0010" })).toBeVisible();
  await build.preview.getByRole("button", { name: "gsm8k-0001" }).click();
  await check("build-trial");
  await build.show("Source");
  await page.getByRole("textbox", { name: "Name of the batch" }).fill("Math questions, first pass");
  await check("build-full");

  const setPace = (pace: number | "instant") =>
    withHostOf(page, async ({ server }) => void (await server.change({ pace })));
  // Ten lines at a time: the batch runs for as long as it is looked at. A picture has more of it answered.
  await setPace(pictured ? 50 : 2_500);
  await build.submit();
  await expect.poll(() => batch.answered()).toBeGreaterThan(pictured ? 30 : 0);
  if (viewport.width > 1000) await batch.openLine(7);
  await check("batch-running");
  await batch.openLine(3);
  await page.getByRole("radiogroup").getByText("Response").click();
  await check("batch-line");
  await page.keyboard.press("Escape");
  await setPace("instant");
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
  await page.keyboard.press("Escape");

  await writeFile(join(dataDir, "files", "file-00000000000000000000000000000001"), "named by no record");
  await new SettingsPage(page).open();
  const data = page.getByRole("region", { name: "Data", exact: true });
  await data.getByRole("button", { name: "Back up…" }).click();
  await expect(page.getByRole("textbox", { name: "New folder" })).toHaveValue(/sheaf-backup-/);
  await check("settings-backup");
  await page.keyboard.press("Escape");
  await data.getByRole("button", { name: "Check data" }).press("Enter");
  await expect(data.getByRole("list", { name: "Found in the data folder" })).toContainText(
    "No record names this file.",
  );
  await check("settings-data");
  await data.getByRole("button", { name: "Repair…" }).press("Enter");
  await expect(page.getByRole("dialog")).toContainText("moved to quarantine");
  await page.getByRole("dialog").getByRole("button", { name: "Repair", exact: true }).click();
  await expect(data.getByRole("status").filter({ hasText: "1 place repaired." })).toBeVisible();
  await expect(data.getByRole("status").filter({ hasText: "No damage." })).toBeVisible();
});

walkPictures("places that are full of data", async ({ page, hosts, dataDir, viewport, check }) => {
  const host = await hosts.start({ pace: "instant", dataDir });
  await page.goto(host.address);
  await expect(page.getByRole("heading", { name: "Start with an example" })).toBeVisible();
  const ids = new Map<string, string>();
  await withHostOf(page, async (client) => {
    const { batches, sources } = client;
    await runBrokenBatch({ client });
    await runAnsweredBatches({ client }, { "Grade school, first prompt": 200 });
    await runAnsweredBatches({ client }, { "Grade school, second prompt": 200 }, 5);
    await runFaultyBatch({ client }, "Tickets of November", 150);
    for (const { name, id } of (await batches.list({ limit: 10 })).batches) ids.set(name, id);
    // No draft uses it.
    await sources.example({ name: "gsm8k-200" });
  });
  const open = (path: string) => page.goto(new URL(path, page.url()).href);
  const [first, second, faulty] = [
    "Grade school, first prompt",
    "Grade school, second prompt",
    "Tickets of November",
  ].map((name) => ids.get(name));

  await open(`/compare?ids=${first},${second}`);
  const compared = page.getByRole("grid", { name: "Compared lines" });
  await expect(compared.getByRole("row").nth(3)).toContainText("gsm8k");
  await check("compare");
  await compared.getByRole("row").nth(1).click();
  await expect(page.getByRole("complementary", { name: "The answers to a line" })).toBeVisible();
  await check("compare-line");

  await open(`/batches/${faulty}`);
  await expect(page.getByRole("grid", { name: "Results" }).getByRole("row").nth(3)).toContainText(/[a-z]{3}/i);
  await check("batch-faulty");
  for (const [tab, shown] of [
    ["Errors", page.getByRole("button", { name: /^Retry/ }).first()],
    ["Charts", page.getByRole("tabpanel").locator("[data-drawn=bar]").first()],
  ] as const) {
    await page.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
    await expect(shown).toBeVisible();
    await check(`batch-${tab.toLowerCase()}`);
  }

  await open("/files");
  const files = page.getByRole("grid", { name: "Files" });
  await expect(files.getByRole("row").nth(3)).toBeVisible();
  await check("files-full");
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["{"], "tickets of October.jsonl"));
    return data;
  });
  for (const type of ["dragenter", "dragover", "drop"]) await files.dispatchEvent(type, { dataTransfer: transfer });
  await expect(page.getByRole("button", { name: "Upload anyway" })).toBeVisible();
  await check("files-faulty-upload");
  await page.getByRole("button", { name: "Don’t upload" }).click();
  await files
    .getByRole("row", { name: /grade-school/ })
    .first()
    .click();
  await expect(page.getByRole("region", { name: "First lines" })).toContainText("gsm8k-0001");
  await check("files-inspector");
  await page.getByRole("button", { name: "Delete…" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await check("files-delete");

  // A table that no one used for a day can go.
  await withHostOf(page, async ({ server }) => void (await server.turnClock({ milliseconds: 25 * 3_600_000 })));
  await open("/settings");
  const removeUnused = page.getByRole("button", { name: /^Remove unused/ });
  await expect(removeUnused).toBeVisible();
  await removeUnused.scrollIntoViewIfNeeded();
  await check("settings-storage");
  await removeUnused.click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await check("settings-storage-clean");

  await open(`/batches/${ids.get("broken-batch.jsonl")}`);
  await page.getByRole("button", { name: "Fix the lines" }).click();
  if (viewport.width < 1000) await page.getByRole("tab", { name: /^Source/ }).click();
  await expect(page.getByText("12 lines have errors")).toBeVisible();
  await page.getByRole("button", { name: /^Edit line/ }).click();
  await expect(page.getByRole("textbox", { name: /^Request of line/ })).toBeVisible();
  await check("build-faulty-line");
});

walkPictures("reviews, from a workbook to grades", async ({ page, hosts, dataDir, viewport, check }) => {
  const host = await hosts.start({ pace: "instant", dataDir });
  await page.goto(host.address);
  await expect(page.getByRole("heading", { name: "Start with an example" })).toBeVisible();
  const prompts = [
    "Is this review positive or negative?\n\n{{ review }}",
    "Judge the product by its review: {{ review }}",
  ];
  let buffer: Buffer = Buffer.alloc(0);
  await withHostOf(page, async (client) => {
    buffer = await prepareReviews({ client }, prompts);
  });
  const build = new BuildPage(page);
  const batch = new BatchPage(page);
  const grading = new GradingPart(page);
  const text = { type: "string" };
  const sentiment = { ...text, enum: ["positive", "negative"] };
  const properties = { sentiment, confidence: { type: "number" }, about: text };
  const schema = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };

  await build.open();
  await build.show("Source");
  const chooser = page.waitForEvent("filechooser");
  await build.source.getByRole("button", { name: "Choose file" }).click();
  await (await chooser).setFiles({ name: "reviews.xlsx", mimeType: "application/octet-stream", buffer });
  await expect(build.source.getByText("header in row 3")).toBeVisible();
  await check("reviews-source");
  await build.write("User message 1", prompts[0] ?? "");
  await build.prompt.getByRole("radiogroup", { name: "Format of the answer" }).getByText("JSON schema").click();
  await build.prompt.getByRole("button", { name: "Edit as JSON" }).click();
  await build.write("JSON schema of the answer", JSON.stringify(schema));
  await build.prompt.getByRole("button", { name: "Edit as a form" }).click();
  await build.prompt.getByRole("button", { name: "Add version" }).click();
  await build.write("User message 1", prompts[1] ?? "");
  await build.expectNoProblems("200");
  await build.show("Preview");
  await build.preview.getByRole("button", { name: "Try all versions" }).click();
  await check("reviews-trial-cost");
  await page.getByRole("button", { name: "Try 2 versions" }).click();
  await expect(build.preview.getByText("…", { exact: true })).toHaveCount(0);
  await expect(build.preview.getByRole("button", { name: "Try 10 rows" })).toBeVisible();
  await check("reviews-trial");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Trial" })).toBeHidden();

  await page.getByRole("button", { name: "Submit 2 batches" }).click();
  await page.waitForURL(/\/compare/);
  await page.getByRole("button", { name: "reviews, A", exact: true }).click();
  await batch.expectDone();
  await grading.open();
  await expect(grading.dialog.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await check("reviews-grade");
  await grading.start();
  await grading.expectDone(200);
  await page.getByRole("tab", { name: "Grades" }).click();
  await expect(page.getByRole("region", { name: "Labels" })).toBeVisible();
  await check("reviews-labels");
  await page.getByRole("tab", { name: "Charts" }).click();
  await expect(page.getByRole("button", { name: "Show lines: battery" })).toBeVisible();
  await expect(page.locator(".mantine-Skeleton-root")).toHaveCount(0);
  await check("reviews-charts");
  await page.getByRole("tab", { name: /^Results/ }).click();
  await page.keyboard.press("ControlOrMeta+f");
  await page.getByRole("search").getByRole("textbox").fill("battery");
  await expect(page.getByRole("search").locator("output")).toHaveText(/^\d+ lines$/);
  await check("reviews-found");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Columns" }).click();
  await check("reviews-columns");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("combobox", { name: "Compared how" }).click();
  await page.getByRole("option", { name: "breaks the schema" }).click();
  await page.getByRole("button", { name: "Add filter" }).click();
  await expect(page.getByText("5 of 200 lines")).toBeVisible();
  if (viewport.width > 1000) await batch.results.getByRole("row").nth(1).click();
  await check("reviews-breaking");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect(page.getByRole("dialog", { name: /^Export/ })).toBeVisible();
  await check("reviews-export");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Compare versions" }).click();
  await expect(page.getByRole("grid", { name: "Compared lines" }).getByRole("row").nth(3)).toBeVisible();
  await check("reviews-compared");
});

walkPictures("connections that work, and that do not", async ({ page, hosts, dataDir, check }) => {
  const serve = ["--ephemeral", "--no-rate-limit", "--pace"];
  await withServer([...serve, "20"], (desk) =>
    withServer([...serve, "20000"], async (slow) => {
      const host = await hosts.start({ pace: "instant", dataDir });
      await page.goto(host.address);
      await expect(page.getByRole("heading", { name: "Start with an example" })).toBeVisible();
      let atNight = "";
      await withHostOf(page, async (client) => {
        await runFaultyBatch({ client }, "Tickets of November", 150);
        const workstation = await connect(client, "Workstation", "chat", desk);
        const night = await connect(client, "Night service", "openai-batch", slow);
        const lapsed = await connect(client, "Lapsed account", "chat", { ...desk, apiKey: "sk-lapsed-0123456789" });
        const reviews = { example: "reviews-200", rows: 200 } as const;
        const second = await connect(client, "Second desk", "chat", desk);
        const done = [
          await submitExample(client, { name: "Reviews of October", connectionId: workstation, ...reviews }),
          await submitExample(client, {
            name: "Questions, easy ones",
            connectionId: second,
            example: "gsm8k-200",
            rows: 90,
          }),
        ];
        for (const id of done)
          await expect.poll(async () => (await client.batches.get({ id })).status).toBe("completed");
        atNight = await submitExample(client, {
          name: "Questions, overnight",
          connectionId: night,
          example: "gsm8k-200",
          rows: 120,
        });
        await submitExample(client, { name: "Reviews of September", connectionId: lapsed, ...reviews });
        await client.server.change({ pace: 1_500 });
        await submitExample(client, { name: "Reviews, a first look", ...reviews });
        await client.server.change({
          faults: { failure_rate: 0.05, statuses: [500, 503], targets: ["lines"], stuck_in: ["cancelling"] },
        });
      });
      const open = (path: string) => page.goto(new URL(path, page.url()).href);
      await open("/");
      await expect(page.getByText("1 batch waits")).toBeVisible();
      await expect(page.getByText(/^[1-9]\d* of 200 lines$/)).toBeVisible();
      await check("home-full");

      await open(`/batches/${atNight}`);
      await page.getByRole("button", { name: "Set a deadline" }).click();
      await expect(page.getByLabel("If it is not done by")).toBeVisible();
      await check("batch-deadline");

      await withHostOf(page, async ({ server }) => void (await server.change({ pace: "instant" })));
      await open("/playground");
      const message = page.getByRole("textbox", { name: "Message" });
      await check("playground-empty");
      await message.fill("Why is the sky blue?");
      await page.keyboard.press("Enter");
      await expect(page.getByText(/answer tokens/)).toBeVisible();
      await check("playground-answered");
      await page.getByRole("combobox", { name: "Connection" }).click();
      await page.getByRole("option", { name: "Lapsed account" }).click();
      await page.getByRole("combobox", { name: "Model" }).fill("llama3.2");
      await message.fill("And at sunset?");
      await page.keyboard.press("Enter");
      await expect(page.getByText("There is no whole answer")).toBeVisible();
      await check("playground-failing");

      await open("/server");
      await page.getByText("Scripted", { exact: true }).click();
      const rules = page.getByRole("textbox", { name: /^Rules of the scripted engine/ });
      await rules.click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(
        "rules:\n  - match: { last_user_message: { contains: refund } }\n    reply: { txt: Soon. }\n",
      );
      await expect(page.getByRole("button", { name: "Line 3" })).toBeVisible();
      await rules.scrollIntoViewIfNeeded();
      await check("server-rules");
      await page.getByRole("button", { name: "Back to those in force" }).click();
      await page.getByRole("button", { name: "Switch all faults off" }).scrollIntoViewIfNeeded();
      await check("server-faults");

      await withHostOf(page, async ({ server }) => {
        const {
          server: { url },
        } = await server.start({ port: 0 });
        const { value } = await server.reveal({ name: "api_key" });
        const headers = { authorization: `Bearer ${value}`, "content-type": "application/json" };
        const body = JSON.stringify({ model: "gpt-9", messages: [{ role: "user", content: "Where is my refund?" }] });
        await fetch(`${url}/v1/models`, { headers });
        await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
      });
      await open("/server?tab=requests");
      const requests = page.getByRole("grid", { name: "Requests" });
      await requests.getByRole("row", { name: /completions/ }).click();
      await expect(page.getByText("Response body")).toBeVisible();
      await check("server-requests");
    }),
  );
});
