import { writeFile } from "node:fs/promises";
import { expect, type Locator, test } from "@playwright/test";
import { z } from "zod";
import { runAnsweredBatches, runTopicVersions } from "../../fixtures/batches.ts";
import { projectFile, readJsonLines } from "../../fixtures/files.ts";
import { scriptMathAnswers, startOllama } from "../../fixtures/local-model.ts";
import { walkApp, walkScreens } from "../../fixtures/screens.ts";
import { BatchPage } from "../../pages/batch-page.ts";
import { BatchesPage } from "../../pages/batches-page.ts";
import { BuildPage } from "../../pages/build-page.ts";
import { GradingPart, VerificationPart } from "../../pages/run-part.ts";
import { SettingsPage } from "../../pages/settings-page.ts";

const lines = 200;
/** Of 200 answers as the fixture spoils them. */
const wrong = 26;

walkApp(
  "the answers of a batch are verified, and what came of it can be read, filtered and exported",
  async (parts) => {
    const { page, host, check } = parts;
    await runAnsweredBatches(host, { "Grade school math": lines });
    await new BatchesPage(page).open();
    await new BatchesPage(page).row("Grade school math").click();
    const batch = new BatchPage(page);
    const verification = new VerificationPart(page);

    await expect(page.getByRole("button", { name: "Export", exact: true })).toBeEnabled();
    const top = (await batch.results.boundingBox())?.y;
    const more = page.getByRole("button", { name: "More actions" });
    for (const name of ["Grade answers", "Verify answers"]) {
      await more.click();
      await page.getByRole("menuitem", { name }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(more).toBeFocused();
    }
    await page.keyboard.press("v");
    await expect(verification.dialog.getByRole("radio", { name: "Rules", exact: true })).toBeFocused();
    await expect(verification.dialog.getByRole("radio", { name: "A model", exact: true })).toBeDisabled();
    await expect(verification.dialog).toContainText("200 answers are checked against their prompts, on this computer.");
    await check("verify-batch-dialog");
    await verification.start();
    const counts = await verification.expectDone(lines);
    expect(counts.Contradicted).toBeGreaterThanOrEqual(wrong - 1);
    // Each has a sentence that can't be looked up beside its sums: none is supported as a whole.
    expect(counts["Not checkable"]).toBeGreaterThan(120);
    // Nothing that came meanwhile has pushed the table.
    expect((await batch.results.boundingBox())?.y).toBe(top);
    await check("verify-batch-done");

    await verification.show("Contradicted");
    await expect(batch.results.getByRole("row").nth(1)).toContainText(/\d contradicted/);
    await batch.results.getByRole("row").nth(1).click();
    const claims = batch.inspector.getByRole("list", { name: "Claims" });
    await expect(claims.locator("> li[data-active]")).toContainText("Contradicted");
    await expect(claims.locator("> li[data-active]")).toBeInViewport();
    await expect(batch.inspector.getByRole("region", { name: "Prompt" })).toBeInViewport();
    const first = await batch.inspector.getAttribute("aria-label");
    await page.keyboard.press("j");
    await expect(batch.inspector).not.toHaveAccessibleName(first ?? "");
    await expect(claims.locator("> li[data-active]")).toContainText("Contradicted");
    await check("verify-batch-line");
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: "Verification" }).click();
    await expect(page.getByRole("list", { name: "Answers by verdict" })).toContainText(`${counts.Contradicted}`);
    await expect(page.getByRole("list", { name: "Findings by kind" })).toContainText("Sum");
    await check("verify-batch-chart");
    await page.getByRole("button", { name: "Show lines: Not checkable" }).click();
    await expect(batch.results.getByRole("row").nth(1)).toContainText(/not checkable/);

    // An export has the lines that are shown.
    await page.getByRole("button", { name: "Show any verdict" }).click();
    const exported = await readJsonLines(await batch.exportResults());
    const found = exported.filter((line) => JSON.stringify(line).includes('"is_hallucination":true'));
    expect(found).toHaveLength(counts.Contradicted ?? 0);
  },
);

/** A user's own table: questions, and what is expected of them. */
async function writeMathTable(path: string): Promise<string> {
  const rows = z
    .array(z.object({ question: z.string(), answer: z.coerce.string() }))
    .parse(await readJsonLines(projectFile("examples", "gsm8k-200.jsonl")));
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const lines = rows.map(({ question, answer }) => `${quote(question)},${quote(answer)}`);
  await writeFile(path, ["question,expected", ...lines, ""].join("\n"));
  return path;
}

walkScreens(
  "a newcomer connects a model and gets to graded answers of an own table with at most 8 clicks",
  async (parts) => {
    const { page, hosts, check } = parts;
    const wrongEvery = 9;
    const ollama = await startOllama("llama3.2:latest", await scriptMathAnswers(wrongEvery));
    const host = await hosts.start({ pace: "instant", modelPorts: `ollama=${new URL(ollama.url).port}` });
    await page.goto(host.address);
    let clicks = 0;
    const click = async (control: Locator) => {
      await control.click();
      clicks += 1;
    };
    const button = (name: string | RegExp) => page.getByRole("button", { name });
    await click(button("Connect a model"));
    await expect(button("Find local models")).toBeFocused();
    // Nothing is asked before that is wanted, and no key then.
    expect(ollama.received).toEqual([]);
    await click(button("Find local models"));
    await expect(page.getByRole("region", { name: "On this computer" })).toContainText("1 model: llama3.2:latest");
    expect(ollama.received.filter(({ headers }) => "authorization" in headers)).toEqual([]);
    await check("settings-found");
    await click(button("Connect Ollama"));
    await expect(new SettingsPage(page).report("Ollama")).toContainText("All that batches need works.");
    await click(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Build" }));
    const build = new BuildPage(page);
    await build.dropFile(await writeMathTable(test.info().outputPath("questions.csv")));
    clicks += 1;
    // The connection's only model is chosen, and the cursor is where the question belongs.
    await expect(button("Ollama, answers this draft")).toBeVisible();
    await expect(build.prompt.getByLabel("Model", { exact: true })).toHaveValue("llama3.2:latest");
    await expect(build.prompt.getByRole("textbox", { name: "User message" })).toBeFocused();
    await page.keyboard.insertText("{{ question }}");
    await expect(build.submitButton).toBeEnabled();
    await click(build.submitButton);
    const batch = new BatchPage(page);
    await batch.expectDone();
    await expect(batch.row(1)).toContainText("Janet’s ducks");
    await expect(page.getByRole("main").getByText("Ollama", { exact: true })).toBeVisible();
    const grading = new GradingPart(page);

    await click(button("Grade answers"));
    await expect(grading.dialog.getByRole("combobox", { name: "Column with the expected answers" })).toHaveValue(
      "expected",
    );
    await expect(grading.dialog.getByRole("combobox", { name: "Grader" })).toHaveValue("Number");
    await click(grading.dialog.getByRole("button", { name: "Grade answers" }));
    const wrong = Math.floor(lines / wrongEvery);
    const counts = await grading.expectDone(lines);
    expect(counts).toMatchObject({ Pass: lines - wrong, Fail: wrong });
    expect(clicks).toBeLessThanOrEqual(8);

    await page.keyboard.press("g");
    await grading.dialog.getByRole("textbox", { name: "Tolerance" }).fill("-1");
    await expect(grading.dialog.getByRole("button", { name: /^Grade/ })).toBeDisabled();
    await check("grade-batch-dialog");
    await page.keyboard.press("Escape");

    await grading.show("Fail");
    await expect(batch.results.getByRole("row").nth(1)).toContainText("Fail");
    await batch.results.getByRole("row").nth(1).click();
    await expect(batch.inspector.getByRole("term").filter({ hasText: "Expected" })).toBeVisible();
    await expect(batch.inspector.getByRole("definition").first()).toHaveText(/^[\d.,]+$/);
    await check("grade-batch-line");
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: "Grades" }).click();
    await expect(page.getByText(/95% interval/)).toBeVisible();
    const leading = page
      .getByRole("region", { name: "Accuracy" })
      .getByRole("button", { name: `: ${counts.Fail} wrong` });
    await expect(leading).toContainText(`${counts.Fail} wrong`);
    await check("grade-batch-chart");
    const exported = await readJsonLines(await batch.exportResults());
    expect(exported.filter((line) => JSON.stringify(line).includes('"grade":"fail"'))).toHaveLength(counts.Fail ?? 0);
    await ollama.close();
  },
);

walkApp(
  "the versions of a prompt are graded by a field of their answers, and a table of labels leads to lines",
  async (parts) => {
    const { page, host, check } = parts;
    const tickets = 60;
    await runTopicVersions(host, "Tickets", tickets);
    await new BatchesPage(page).open();
    await new BatchesPage(page).row("Tickets, v1").click();
    const batch = new BatchPage(page);
    const grading = new GradingPart(page);
    const { dialog } = grading;
    const top = (await batch.results.boundingBox())?.y;
    const [bar, row] = await Promise.all([page.getByRole("banner").first().boundingBox(), batch.row(1).boundingBox()]);
    expect((row?.y ?? 0) - (bar?.y ?? 0) - (bar?.height ?? 0), "above the first row").toBeLessThanOrEqual(150);
    // A column with one value in all rows stands above the table until it is put back.
    const header = (name: string) => batch.results.getByRole("columnheader", { name, exact: true });
    const folded = page.getByRole("button", { name: "channel mail in all rows" });
    await expect(folded).toBeVisible();
    await expect(header("ticket")).toBeVisible();
    await expect(header("channel")).toBeHidden();
    await folded.click();
    await expect(header("channel")).toBeAttached();
    await expect(folded).toBeHidden();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("button", { name: "Default columns" }).click();
    await page.keyboard.press("Escape");
    await expect(folded).toBeVisible();

    await grading.open();
    await expect(dialog.getByRole("combobox", { name: "Grader" })).toHaveValue("JSON value");
    await expect(dialog.getByRole("combobox", { name: "Column with the expected answers" })).toHaveValue(
      "expected topic",
    );
    await expect(dialog.getByRole("combobox", { name: "Path" })).toHaveValue("$.topic");
    await dialog.getByRole("combobox", { name: "Path" }).click();
    await expect(page.getByRole("option")).toHaveText(["$.reason", "$.topic"]);
    await page.getByRole("option", { name: "$.topic" }).click();
    await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(2);
    await expect(dialog).toContainText(`${2 * tickets} answers of 2 batches are compared`);
    await check("grade-versions-dialog");
    await grading.start();
    await grading.expectDone(tickets);
    // The head had the room for it.
    expect((await batch.results.boundingBox())?.y).toBe(top);
    await expect(page.getByRole("tab", { name: "Grades" })).toBeVisible();
    // In the narrowest window, too.
    const size = page.viewportSize();
    await page.setViewportSize({ width: 720, height: 450 });
    await page.getByRole("button", { name: /^Accuracy: [\d.]+% right$/ }).click();
    if (size !== null) await page.setViewportSize(size);

    const labels = page.getByRole("region", { name: "Labels" });
    await expect(labels.getByRole("columnheader")).toHaveText([
      "Expected",
      "billing",
      "bug",
      "login",
      "other",
      "Other",
      "Precision",
      "Recall",
    ]);
    await check("grade-labels");
    const cell = labels.getByRole("button", { name: /given another text$/ }).first();
    const count = await cell.textContent();
    await cell.click();
    await expect(page.getByText(`${count} of ${tickets} lines`)).toBeVisible();
    const wrongRow = batch.results.getByRole("row").nth(1);
    await expect(wrongRow).toContainText("≠spam");
    await expect(wrongRow.getByText(/^expected /)).toBeHidden();
    await page.getByRole("button", { name: "Two lines a row" }).click();
    await expect(wrongRow.getByText(/^expected \w+$/)).toBeVisible();
    await page.getByRole("button", { name: "Two lines a row" }).click();

    // All of these lines have one topic: its chart comes after those with several bars.
    await page.getByRole("tab", { name: "Charts" }).click();
    const title = (name: string) => page.getByRole("heading", { level: 2, name, exact: true });
    const right = page.getByRole("table", { name: "Right by expected topic" });
    await right.getByRole("button", { name: "Right", exact: true }).click();
    await expect(right.getByRole("columnheader", { name: "Right", exact: true })).toHaveAttribute(
      "aria-sort",
      "ascending",
    );
    await expect(title("Time").locator("xpath=following::h2").and(title("topic"))).toBeVisible();

    // The other version was graded by the same act: a new one replaces its grades, too.
    await grading.open();
    await expect(dialog).toContainText("The grades of “Tickets, v1” and “Tickets, v2” are replaced.");
    await dialog.getByRole("checkbox", { name: /^Tickets, v2/ }).click();
    await expect(dialog).toContainText("The grades of the last run are replaced.");
  },
);
