/**
 * Prints how the code is laid out: lines without tests, lines of each room of `src/main`, imports between rooms, imports
 * that point upward, imports past an index, and circles of files. `node scripts/measure-house.mjs` counts what git knows.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** @type {{ floors: string[][], withinFloor: Record<string, string[]> }} */
const { floors, withinFloor } = createRequire(import.meta.url)("./rooms.cjs");
const isCode = /\.(ts|tsx|css|mjs|cjs|js)$/;
const isTest = /\.(test|spec|soak)\.|(^|\/)fixtures?\/|(?<!^src)\/testing\//;

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => isCode.test(file) && !isTest.test(file) && existsSync(file));
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));

/** @param {string} text */
const countLines = (text) => text.split("\n").length - 1;
/** @param {string} file */
const roomOf = (file) => /^src\/main\/([^/]+)\//.exec(file)?.[1] ?? null;
/** @param {string} room */
const floorOf = (room) => floors.findIndex((rooms) => rooms.includes(room));

/** @type {(from: string, name: string) => string | null} */
function resolve(from, name) {
  if (name.startsWith(".")) return join(dirname(from), name);
  const room = /^#main\/(.+)$/.exec(name)?.[1];
  return room === undefined ? null : `src/main/${room}/index.ts`;
}

const imports = [...texts].flatMap(([from, text]) =>
  Array.from(text.matchAll(/(?:\bfrom|^import) "([^"]+)"|\bimport\("([^"]+)"\)/gm), ([, named, loaded]) => ({
    from,
    to: resolve(from, named ?? loaded ?? ""),
  })).filter(({ to }) => to !== null && texts.has(to)),
);
const between = imports.flatMap(({ from, to }) => {
  const [room, other] = [roomOf(from), roomOf(to ?? "")];
  return room === null || other === null || room === other ? [] : [{ from, to: to ?? "", room, other }];
});
const upward = between.filter(
  ({ room, other }) => floorOf(other) >= floorOf(room) && !withinFloor[room]?.includes(other),
);
const past = between.filter(({ to }) => !/^src\/main\/[^/]+\/index\.ts$/.test(to));

/** Files that import one another in a loop: Tarjan's strongly connected components of more than one file. */
function countCircles() {
  /** @type {Map<string, string[]>} */
  const next = new Map();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to ?? ""]);
  /** @type {Map<string, { index: number, low: number, isOpen: boolean }>} */
  const seen = new Map();
  /** @type {string[]} */
  const open = [];
  let circles = 0;
  /** @param {string} file */
  function visit(file) {
    const own = { index: seen.size, low: seen.size, isOpen: true };
    seen.set(file, own);
    open.push(file);
    for (const other of next.get(file) ?? []) {
      const found = seen.get(other) ?? visit(other);
      if (found.isOpen) own.low = Math.min(own.low, found.low);
    }
    if (own.low === own.index) {
      const circle = open.splice(open.indexOf(file));
      for (const each of circle) Object.assign(seen.get(each) ?? {}, { isOpen: false });
      if (circle.length > 1) circles++;
    }
    return own;
  }
  for (const file of files) if (!seen.has(file)) visit(file);
  return circles;
}

/** @type {Map<string, number>} */
const rooms = new Map();
for (const [file, text] of texts) {
  const room = roomOf(file);
  if (room !== null) rooms.set(room, (rooms.get(room) ?? 0) + countLines(text));
}
const total = [...texts.values()].reduce((sum, text) => sum + countLines(text), 0);
console.log(`lines without tests       ${total}`);
for (const [room, lines] of [...rooms].sort(([, a], [, b]) => b - a))
  console.log(`  ${room.padEnd(24)}${String(lines).padStart(6)}  ${((100 * lines) / total).toFixed(1)} %`);
console.log(`imports between rooms     ${between.length}`);
console.log(`imports that point upward ${upward.length}`);
for (const { from, to } of upward) console.log(`  ${from} → ${to}`);
console.log(`imports past an index     ${past.length}`);
console.log(`circles                   ${countCircles()}`);
