import { expect, test } from "vitest";
import { createCutPrompts } from "./cut-prompts.ts";

const words = (count: number, word = "apple ") => word.repeat(count);
const request = (text: string) => ({ messages: [{ role: "user", content: text }] });
const answer = (tokens: number | null) => ({ usage: tokens === null ? {} : { prompt_tokens: tokens } });

function tell(lines: readonly [text: string, tokens: number | null][]): (string | null)[] {
  const prompts = createCutPrompts();
  return lines.map(([text, tokens]) => prompts.add(request(text), answer(tokens)));
}

test("prompts whose server counted far fewer tokens than were sent are told with both numbers, and with what to do", () => {
  const [first, second, third, fourth] = tell([
    [words(27_000), 2_048],
    [words(20_000), 2_048],
    [words(25_000), 2_048],
    [words(26_000), 2_048],
  ]);
  expect([first, second, fourth]).toEqual([null, null, null]);
  expect(third).toBe(
    "The server seems to cut prompts: it counted 2,048 tokens where about 25,001 were sent (at least 3 answers). Raise the context length of the server, such as num_ctx of Ollama, and ask these lines again.",
  );
});

test("the same figure for prompts of several lengths is one that they were cut to, also where it is not far below", () => {
  expect(tell([2_700, 2_800, 3_000].map((count) => [words(count), 2_048])).at(-1)).toContain(
    "where about 3,001 were sent",
  );
});

test("counts that differ as tokenizers do, prompts of one length, short prompts and answers without counts tell nothing", () => {
  const quiet: [string, number | null][][] = [
    [2_000, 2_100, 2_200, 2_300].map((count) => [words(count), Math.round(count * 0.7)]),
    [2_000, 2_000, 2_000, 2_000].map((count) => [words(count), 1_990]),
    [2_000, 2_100, 2_200, 2_300].map((count) => [words(count), null]),
    [100, 110, 120, 130].map((count) => [words(count), 20]),
    // Spaces are few tokens.
    [20_000, 21_000, 22_000, 23_000].map((count) => [words(count, " "), Math.round(count / 60)]),
    [20_000, 21_000, 22_000, 23_000].map((count) => [words(count), 0]),
  ];
  for (const lines of quiet) expect(tell(lines)).toEqual(lines.map(() => null));
});
