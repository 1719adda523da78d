import fc from "../../node_modules/fast-check/lib/fast-check.js";
import { readSeed } from "./random.ts";

/** fast-check prints it with what it finds. */
const seed = readSeed();

/** How many times the usual number of inputs `npm run soak` tries. */
const times = 20;

const assert = new Proxy(fc.assert, {
  apply(usual, self, [property, parameters]) {
    return Reflect.apply(usual, self, [
      property,
      { seed, ...parameters, numRuns: (parameters?.numRuns ?? 100) * times },
    ]);
  },
});

/** fast-check for `npm run soak`: the same checks on many more inputs. */
const thorough: typeof fc = { ...fc, assert };
export default thorough;
