import { expect, test } from "vitest";
import { readText } from "../../text/index.ts";
import { checkSupport } from "./check-support.ts";
import { readContext } from "./context.ts";

const document =
  "Marie Curie was born in Warsaw on 7 November 1867. She moved to Paris in 1891. Pierre Curie taught Marie Curie physics. She did not live in London.";

function supported(response: string) {
  const context = readContext({
    prompt: readText("prompt", "When and where was Marie Curie born?"),
    response: readText("response", response),
    document: readText("document", document),
  });
  return context === null ? [] : checkSupport(context);
}

test("a sentence whose words stand in one place of the document is supported by that place", () => {
  expect(supported("Marie Curie was born on November 7, 1867, in Warsaw.")).toMatchObject([
    { evidence: [{ source: "document", text: "Marie Curie was born in Warsaw on 7 November 1867." }] },
  ]);
});

test("the next sentence helps where it goes on with the one before", () => {
  expect(supported("Marie Curie was born in Warsaw and moved to Paris in 1891.")).toMatchObject([
    { evidence: [{ text: expect.stringContaining("Warsaw") }, { text: "She moved to Paris in 1891." }] },
  ]);
});

test("a short answer is supported where the question leads", () => {
  expect(supported("Warsaw")).toHaveLength(1);
  expect(supported("Paris")).toHaveLength(0);
});

test("what is turned around, denied, or gathered from here and there is not supported", () => {
  expect(supported("Marie Curie taught Pierre Curie physics.")).toEqual([]);
  expect(supported("Marie Curie was not born in Warsaw in 1867.")).toEqual([]);
  expect(supported("Pierre Curie was born in London.")).toEqual([]);
});
