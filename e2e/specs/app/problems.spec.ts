import { readFile } from "node:fs/promises";
import { z } from "zod";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { projectFile } from "../../fixtures/files.ts";

const expectedSchema = z.array(z.object({ line: z.int(), code: z.string(), param: z.string().nullable() }));

appTest("a file with twelve kinds of mistakes shows all of them, each with its line", async ({ buildPage }) => {
  const expected = expectedSchema.parse(
    JSON.parse(await readFile(projectFile("examples", "broken-batch.problems.json"), "utf8")),
  );
  await buildPage.open();
  await buildPage.dropFile(projectFile("examples", "broken-batch.jsonl"));
  await expect(buildPage.problems.getByText(`${expected.length} errors`)).toBeVisible();
  for (const { line } of expected) {
    await expect(buildPage.problems.getByRole("button", { name: new RegExp(`\\b${line}$`) }).first()).toBeVisible();
  }
  await expect(buildPage.submitButton).toBeDisabled();
});

appTest("an unknown column is a problem at once, and none any more when it is corrected", async ({ buildPage }) => {
  await buildPage.open();
  await buildPage.dropFile(projectFile("examples", "gsm8k-200.jsonl"));
  await buildPage.write("User message 1", "{{ qestion }}");
  await expect(buildPage.problems.getByText(/qestion/).first()).toBeVisible();
  await expect(buildPage.submitButton).toBeDisabled();
  await buildPage.write("User message 1", "{{ question }}");
  await buildPage.expectNoProblems("200");
  await expect(buildPage.submitButton).toBeEnabled();
});
