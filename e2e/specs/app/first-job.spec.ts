import { z } from "zod";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { projectFile, readJsonLines } from "../../fixtures/files.ts";

const questionSchema = z.object({ id: z.string(), question: z.string() });
const answerSchema = z.object({
  custom_id: z.string(),
  error: z.null(),
  response: z.object({
    status_code: z.literal(200),
    body: z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).length(1) }),
  }),
});

// 200 lines, ten at a time: 50 seconds, in which any machine sees the bar move and the chart of lines a second. Then the rest is answered at once.
appTest.use({ pace: 2_500 });

appTest(
  "a table of questions becomes a batch, runs, and is read and exported",
  async ({ page, host, buildPage, batchPage }) => {
    const input = projectFile("examples", "gsm8k-200.jsonl");
    const questions = z.array(questionSchema).parse(await readJsonLines(input));

    await buildPage.open();
    await buildPage.dropFile(input);
    await expect(buildPage.source.getByText("gsm8k-200.jsonl", { exact: true })).toBeVisible();
    await expect(buildPage.source.getByText(/200 rows, 3 columns/)).toBeVisible();

    await buildPage.write("User message 1", "Solve this, and end with the number alone.\n\n{{ question }}");
    await expect(buildPage.preview).toContainText("Janet’s ducks lay 16 eggs per day.");
    await expect(buildPage.preview).toContainText("gsm8k-0001");
    await buildPage.expectNoProblems("200");
    await buildPage.submit();

    await expect(batchPage.progress).toBeVisible();
    const seen = await batchPage.progress.getAttribute("aria-valuenow");
    await expect(batchPage.progress).not.toHaveAttribute("aria-valuenow", seen ?? "");
    // A run that ended within a second has no chart.
    await page.getByRole("button", { name: "Steps and throughput" }).click();
    await expect(page.locator("figure")).toContainText(/^Lines a second[\d.,]+.*0 s\d/);
    await page.keyboard.press("Escape");
    await host.client.server.change({ pace: "instant" });
    await batchPage.expectDone();

    await batchPage.openLine(7);
    await expect(batchPage.inspector.getByText("gsm8k-0007")).toBeVisible();
    await expect(batchPage.inspector.getByRole("region", { name: "User" })).toContainText(
      questions[6]?.question.slice(0, 60) ?? "",
    );
    await expect(batchPage.inspector.getByRole("region", { name: "Assistant" })).toContainText(/\w{3}/);
    await page.keyboard.press("Escape");
    await expect(batchPage.inspector).toBeHidden();

    const exported = z.array(answerSchema).parse(await readJsonLines(await batchPage.exportResults()));
    expect(exported.map((line) => line.custom_id)).toEqual(questions.map((question) => question.id));
  },
);
