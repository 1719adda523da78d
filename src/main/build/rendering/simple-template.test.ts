import fc from "fast-check";
import { expect, it } from "vitest";
import { findSimpleParts, joinSimpleParts } from "./simple-template.ts";
import { createTemplateEngine, fillTemplates } from "./template-engine.ts";
import { toTemplateValue } from "./template-values.ts";

const engine = createTemplateEngine();

it.each([
  ["Why?", true],
  ["{{ a }} and {{- b -}} \n {{ c }}", true],
  ['{{ ["a"] }}', true],
  ["{{ a | upcase }}", false],
  ["{{ a.size }}", false],
  ["{{ a[0] }}", false],
  ["{{ a == b }}", false],
  ["{{ true }}", false],
  ["{{ 'now' | date: '%s' }}", false],
  ["{% if a %}x{% endif %}", false],
  ["{% assign a = 'x' %}{{ a }}", false],
  ["{% raw %}{{ a }}{% endraw %}", false],
])("whether %j has texts and names alone", (text, isSimple) => {
  expect(findSimpleParts(engine.parse(text)) !== null).toBe(isSimple);
});

const pieces = fc.constantFrom(
  ...[
    "Why? ",
    "\n",
    "{{ a }}",
    "{{- b -}}",
    "{{c}}",
    " {{ size }}",
    '{{ ["a b"] }}',
    "{{ a | raw }}",
    "{{ a | strip }}",
  ],
  ...["{{ toString }}", "{{ first }}", "}}", "{{ b, a }}", "{{ row_number }}", "{{ none }}"],
);
const cells = fc.oneof(
  fc.string(),
  fc.constantFrom("", " ", "1.10", "true", "{{ a }}", "<b>", "\ud83d", 5, true, null, [1, "a"], { x: 1 }),
);
const rows = fc.record({ a: cells, b: cells, c: cells, size: cells, "a b": cells, toString: cells, first: cells });

it("a template of texts and names gives what Liquid gives", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 5 }), rows, (text, row) => {
      const templates = engine.parse(text.join(""));
      const parts = findSimpleParts(templates);
      const entries = Object.entries(row).map(([name, cell]) => [name, toTemplateValue(cell)]);
      const scope: Record<string, unknown> = Object.assign(Object.create(null), Object.fromEntries(entries));
      const joined = parts && joinSimpleParts(parts, scope);
      if (joined !== null) expect(joined).toBe(fillTemplates(engine, templates, scope, { row_number: 1 }));
    }),
    { numRuns: 1_000 },
  );
});
