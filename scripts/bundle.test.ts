import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../out/renderer");
const isBuilt = existsSync(folder);
if (!isBuilt) console.warn("The size of the first load is not checked: the page has not been built (npm run build).");

/** Gzipped bytes of the scripts that the page fetches before it can show anything, and of what they name themselves. */
function measureFirstLoad(): number {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const waiting = [...html.matchAll(/assets\/([\w-]+\.js)/g)].map(([, name]) => name);
  const sizes = new Map<string, number>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (sizes.has(name)) continue;
    const script = readFileSync(join(folder, "assets", name));
    sizes.set(name, gzipSync(script).length);
    for (const [, next] of script.toString().matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) waiting.push(next);
  }
  return Array.from(sizes.values()).reduce((sum, size) => sum + size, 0);
}

it.skipIf(!isBuilt)("the first load is at most 300 kB of script: editors, charts and exports come on demand", () => {
  const size = measureFirstLoad();
  expect(size).toBeGreaterThan(100_000);
  expect(size).toBeLessThanOrEqual(300_000);
});
