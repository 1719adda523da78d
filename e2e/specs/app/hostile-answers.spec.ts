import type { Page } from "@playwright/test";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { runGivenAnswers } from "../../fixtures/batches.ts";
import { hostileAnswers } from "../../fixtures/hostile-answers.ts";

const answers = Object.entries(hostileAnswers);
const lineOf = (name: string) => answers.findIndex(([one]) => one === name) + 1;

/**
 * The part of the inspector with the answer of the line that is open. It is found by its place: a search by roles asks each of
 * the thousands of elements of an answer for its own.
 */
const answerIn = (page: Page) => page.locator("aside section[data-answer]");

/** What an answer has to be read with, and what it is drawn with or without. */
interface Expected {
  readonly reads: readonly string[];
  readonly has: string;
  readonly hasNo: string;
}

/** What is seen of the line that is open. Runs in the page, so that it uses nothing from outside. */
function look({ reads, has, hasNo }: Expected) {
  const inspector = document.querySelector("aside");
  const answer = inspector?.querySelector("section[data-answer]");
  const text = answer?.textContent ?? "";
  return {
    line: inspector?.ariaLabel,
    id: inspector?.querySelector("code")?.textContent,
    missing: reads.filter((piece) => !text.includes(piece)),
    hasDrawn: answer?.querySelector(has) != null,
    hasWrong: answer?.querySelector(hasNo) != null,
    alerts: document.querySelectorAll("[role=alert]").length,
    // No answer is a pane of blanks, and none makes the inspector scroll sideways.
    isTooWide: answer == null || answer.scrollWidth > answer.clientWidth + 2,
    isTooMuch: (answer?.querySelectorAll("*").length ?? 0) >= 25_000,
  };
}

/** The same of an answer that is shown as it was written. */
function lookAtWritten(wanted: string) {
  const inspector = document.querySelector("aside");
  return {
    line: inspector?.ariaLabel,
    id: inspector?.querySelector("code")?.textContent,
    isAsWritten: inspector?.querySelector("section[data-answer] [data-written]")?.textContent === wanted,
  };
}

/** The part with the prompt of the line that is open. */
const promptIn = (page: Page) => page.locator("aside section[aria-label=User]");

/** Chooses how answers are shown. */
const choose = (page: Page, form: "Rendered" | "As written") =>
  answerIn(page).locator("[role=radiogroup]").getByText(form, { exact: true }).click();

appTest("thirty hostile answers are read, each as it was written", async ({ page, host }) => {
  appTest.setTimeout(300_000);
  expect(answers.length).toBeGreaterThanOrEqual(30);
  await runGivenAnswers(host, "Hostile", Object.fromEntries(answers.map(([name, { text }]) => [name, text])));
  const { batches } = await host.client.batches.list({});
  const address = `${host.origin}/batches/${batches[0]?.id}`;
  // The page begins at the answer that made it unusable, and is loaded again there.
  await page.goto(`${address}?line=${lineOf("loop-dashes")}`);
  await expect(answerIn(page)).toContainText("nested more than 100 levels");
  await page.reload();
  await expect(answerIn(page)).toContainText("nested more than 100 levels");

  for (const [at, [name, { reads, has, hasNo }]] of answers.entries()) {
    await appTest.step(`${name} is drawn`, async () => {
      if (at > 0) await page.keyboard.press("j");
      const expected = { reads: [reads].flat(), has: has ?? "*", hasNo: hasNo ?? "blink" };
      await expect
        .poll(() => page.evaluate(look, expected))
        .toEqual({
          line: `Line ${at + 1}`,
          id: name,
          missing: [],
          hasDrawn: true,
          hasWrong: false,
          alerts: 0,
          isTooWide: false,
          isTooMuch: false,
        });
    });
  }

  await choose(page, "As written");
  await page.reload();
  for (const [at, [name, { text }]] of [...answers.entries()].reverse()) {
    await appTest.step(`${name} is written out`, async () => {
      if (at < answers.length - 1) await page.keyboard.press("k");
      await expect
        .poll(() => page.evaluate(lookAtWritten, text))
        .toEqual({ line: `Line ${at + 1}`, id: name, isAsWritten: true });
    });
  }
  await choose(page, "Rendered");

  const steps = page.locator("aside output");
  const next = page.locator('aside button[aria-label="Next hit in this line (N)"]');
  const current = () => page.evaluate(() => [...(CSS.highlights.get("find-current") ?? [])].map(String).join());
  const search = (name: string, text: string) =>
    page.goto(`${address}?line=${lineOf(name)}&q=${encodeURIComponent(JSON.stringify(text))}`);
  const findSecond = async (name: string, text: string, hits: string) => {
    await search(name, text);
    await expect(steps).toHaveText(`1 of ${hits}`);
    await next.click();
    await expect(steps).toHaveText(`2 of ${hits}`);
  };
  await appTest.step(
    "a searched text is marked and brought into view, also where only lines in view are drawn",
    async () => {
      // The prompt is the same text, and comes second.
      await search("json-long", "ITEM 5998");
      await expect(steps).toHaveText("1 of 2");
      await expect(answerIn(page).getByText('"Item 5998"')).toBeInViewport();
      await expect.poll(current).toBe("Item 5998");
      await choose(page, "As written");
      await expect.poll(current).toBe("Item 5998");
      await choose(page, "Rendered");
      await next.click();
      await expect(steps).toHaveText("2 of 2");
      await expect(promptIn(page)).toBeInViewport();
      await expect.poll(current).toBe("Item 5998");
    },
  );
  await appTest.step(
    "its places are gone through by key, in a drawn answer too, and the list of keys names them",
    async () => {
      await findSecond("product", "KWARGS): __", "2");
      await expect.poll(current).toBe("kwargs): __");
      await findSecond("loop-bold", "AGAIN", "18,000");
      await page.keyboard.press("Shift+n");
      await page.keyboard.press("Shift+n");
      await expect(steps).toHaveText("18,000 of 18,000");
      await page.keyboard.press("Shift+?");
      await expect(page.locator("[role=dialog]")).toContainText("Next hit in this line");
      await page.keyboard.press("Escape");
      await page.locator('[role=radiogroup][aria-label="What to see of the line"]').getByText("Response").click();
      await expect(steps).toHaveText("1 of 9,000");
    },
  );
});
