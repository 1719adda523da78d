import fc from "fast-check";
import { expect, test } from "vitest";
import { awaitedCode, findingKindSchema, gradeSchema, verdictSchema } from "#contract";
import { createLineIndex, lineStates } from "./line-index.ts";
import { selectLines } from "./select-lines.ts";

const codes = ["timeout", "http_502", "rate_limit_exceeded"] as const;
const finishes = ["stop", "length"] as const;

const lineArbitrary = fc.record({
  state: fc.constantFrom(...lineStates),
  finish: fc.option(fc.constantFrom(...finishes)),
  error: fc.option(fc.constantFrom(...codes)),
  tokens: fc.option(fc.integer({ min: 0, max: 9 })),
  verdict: fc.option(fc.constantFrom(...verdictSchema.options)),
  grade: fc.option(fc.constantFrom(...gradeSchema.options)),
  kind: fc.option(fc.constantFrom(...findingKindSchema.options)),
});
type Line = typeof lineArbitrary extends fc.Arbitrary<infer T> ? T : never;

const some = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });
const filterArbitrary = fc.record({
  states: some(lineStates),
  finish: some(finishes),
  errors: some(codes),
  verdicts: some(verdictSchema.options),
  grades: some(gradeSchema.options),
  kinds: some(findingKindSchema.options),
});

/** A damaged line has no other error, and an awaited one is known by its own. */
function codeOf({ state, error }: Pick<Line, "state" | "error">): string | null {
  if (state === "damaged") return "file_damaged";
  return state === "awaited" ? awaitedCode : error;
}

function indexOf(lines: readonly Line[]) {
  const index = createLineIndex(new Float64Array(lines.length + 1));
  lines.forEach(({ state, finish, error, tokens }, at) => {
    if (state === "waiting") return;
    const file = state === "answered" ? "output" : "error";
    index.record(
      at + 1,
      {
        file,
        start: 0,
        length: 1,
        checksum: 0,
        skipped: state === "skipped",
        milliseconds: at,
        reused: false,
        damaged: state === "damaged",
      },
      {
        model: "m",
        finishReason: finish,
        end: null,
        errorCode: codeOf({ state, error }),
        promptTokens: null,
        cachedTokens: 0,
        reasoningTokens: 0,
        completionTokens: tokens,
      },
    );
  });
  const marks = {
    verdicts: {
      done: 0,
      mark: (line: number) => lines[line - 1]?.verdict ?? null,
      keyOf: () => null,
      countOf: () => 0,
      hasKind: (line: number, kinds: ReadonlySet<string>) => kinds.has(lines[line - 1]?.kind ?? ""),
    },
    grades: {
      done: 0,
      mark: (line: number) => lines[line - 1]?.grade ?? null,
      keyOf: () => null,
      countOf: () => 0,
      hasKind: () => false,
    },
  };
  return { index, marks, costs: null };
}

test("a filter leaves the lines that fit all of its members, and no other", () => {
  fc.assert(
    fc.property(fc.array(lineArbitrary, { maxLength: 40 }), filterArbitrary, (lines, filter) => {
      const fits = <T>(wanted: readonly T[] | undefined, value: T | null) =>
        wanted === undefined || (value !== null && wanted.includes(value));
      const expected = lines.flatMap((line, at) => {
        const isRead = line.state !== "waiting" && line.state !== "damaged";
        const error = codeOf(line);
        return fits(filter.states, line.state) &&
          fits(filter.finish, isRead ? line.finish : null) &&
          fits(filter.errors, line.state === "waiting" ? null : error) &&
          fits(filter.verdicts, line.verdict) &&
          fits(filter.grades, line.grade) &&
          fits(filter.kinds, line.kind)
          ? [at + 1]
          : [];
      });
      expect([...selectLines({ ...indexOf(lines), filter })]).toEqual(expected);
    }),
  );
});

test("lines are sorted by a column, those without a value last, and equal ones in the order of the input", () => {
  const line: Line = {
    state: "answered",
    finish: null,
    error: null,
    tokens: 5,
    verdict: null,
    grade: null,
    kind: null,
  };
  const parts = indexOf([line, { ...line, tokens: null }, { ...line, tokens: 7 }, line, { ...line, tokens: 0 }]);
  const sorted = (by: string, descending: boolean) => [
    ...selectLines({ ...parts, filter: {}, sort: { by, descending } }),
  ];
  expect(sorted("completion_tokens", false)).toEqual([5, 1, 4, 3, 2]);
  expect(sorted("completion_tokens", true)).toEqual([3, 1, 4, 5, 2]);
  expect(sorted("line", true)).toEqual([5, 4, 3, 2, 1]);
});

test("columns of figures are compared as numbers, a decimal comma included", () => {
  const line: Line = {
    state: "answered",
    finish: "stop",
    error: null,
    tokens: 5,
    verdict: null,
    grade: null,
    kind: null,
  };
  const parts = indexOf([line, { ...line, tokens: null }, { ...line, tokens: 40, finish: "length" }]);
  const fitting = (path: string, op: "greater" | "less" | "equals" | "contains", value: string) => [
    ...selectLines({ ...parts, filter: { columns: [{ path, op, value }] } }),
  ];
  expect(fitting("completion_tokens", "greater", "4,5")).toEqual([1, 3]);
  expect(fitting("completion_tokens", "less", "40")).toEqual([1]);
  expect(fitting("completion_tokens", "equals", "40")).toEqual([3]);
  expect(fitting("finish", "contains", "LEN")).toEqual([3]);
  expect(() => fitting("nothing", "equals", "1")).toThrow("no column nothing");
});
