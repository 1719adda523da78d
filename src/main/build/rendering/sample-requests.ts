import { readSomeRows } from "../sources/index.ts";
import type { PassInput } from "./render-pass.ts";
import { createTokenSample } from "./token-sample.ts";

/** Places of a file of requests at which prompts are counted, and how many at each. */
const places = 20;
const linesAtPlace = 10;

/** Guesses the tokens of all prompts of a file of requests. */
export async function sampleRequests({ path, source }: Pick<PassInput, "path" | "source">): Promise<number> {
  const sample = createTokenSample(places * linesAtPlace);
  const step = Math.max(linesAtPlace, Math.floor(source.rowCount / places));
  for (let row = 1; row <= source.rowCount; row += step) {
    for (const { cells } of await readSomeRows(path, source, row, linesAtPlace)) {
      const [line = ""] = cells;
      sample.add(line, Buffer.byteLength(line) + 1);
    }
  }
  return sample.estimate(source.bytes);
}
