import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { Liquid } from "liquidjs";
import { expect, test } from "vitest";
import { placeholderFor } from "#contract";
import { findPlaceholders } from "./find-placeholders.ts";
import { columnsField, completeColumns, completeFilters, measureClosing, setColumns } from "./placeholders.ts";

const columns = ["id", "review", "product name", "Größe", "first-choice", "meta.lang"];

/** Each placeholder as `kind:its text`. */
function read(text: string): string[] {
  return findPlaceholders(text, columns).map(({ kind, from, to }) => `${kind}:${text.slice(from, to)}`);
}

test.each([
  ["Review: {{ review }}", ["column:{{ review }}"]],
  ["{{review}}{{- id -}}", ["column:{{review}}", "column:{{- id -}}"]],
  ["{{ review | strip | truncate: 40 }}", ["column:{{ review | strip | truncate: 40 }}"]],
  ["{{ row_number }}", ["column:{{ row_number }}"]],
  ['{{ ["product name"] }}', ['column:{{ ["product name"] }}']],
  ["{{ Größe }} {{ first-choice }}", ["column:{{ Größe }}", "column:{{ first-choice }}"]],
  ["{{ review.size }}", ["column:{{ review.size }}"]],
  ['{{ ["meta.lang"] }} {{ meta.lang }}', ['column:{{ ["meta.lang"] }}', "column:{{ meta.lang }}"]],
  ["{{ review.text }}", ["unknown:{{ review.text }}"]],
  ["{{ revue }}", ["unknown:{{ revue }}"]],
  ["{{ product name }}", ["unknown:{{ product name }}"]],
  ['{{ ["no such"] }}', ['unknown:{{ ["no such"] }}']],
  ["{{ }}", ["unknown:{{ }}"]],
  ['{{ "text" }} {{ 3 }} {{ true }}', ['value:{{ "text" }}', "value:{{ 3 }}", "value:{{ true }}"]],
  ["no placeholder { at } all", []],
])("reads %s", (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test("an unclosed placeholder ends with its line, and those after it are read all the same", () => {
  expect(read("a {{ rev\nb {{ review }}")).toEqual(["unclosed:{{ rev", "column:{{ review }}"]);
  expect(read("{{ re {{ review }}")).toEqual(["unclosed:{{ re ", "column:{{ review }}"]);
  expect(read("{{ review")).toEqual(["unclosed:{{ review"]);
});

test("knows what the template itself assigns", () => {
  expect(read("{% assign short = review %}{{ short }}")).toEqual([
    "tag:{% assign short = review %}",
    "value:{{ short }}",
  ]);
  expect(read("{% for word in review %}{{ word }}{{ forloop.index }}{% endfor %}")).not.toContain("unknown:{{ word }}");
});

test("reads nothing inside raw and comment", () => {
  expect(read("{% raw %}{{ nothing }} {{ {% endraw %}{{ id }}")).toEqual([
    "tag:{% raw %}",
    "tag:{% endraw %}",
    "column:{{ id }}",
  ]);
});

test.each([
  "id",
  "product name",
  "Größe",
  "first-choice",
  "2024",
  'say "hi"',
  "a.b",
  "true",
  "and",
  "it's",
  "Why?",
  "back\\slash",
  `both " and '`,
])("the placeholder for the column %s renders that column", (column) => {
  const placeholder = placeholderFor(column);
  const engine = new Liquid({ strictVariables: true });
  const [inner, outer] = column.split(".").toReversed();
  const cells = column === "a.b" ? { [outer ?? ""]: { [inner ?? ""]: "the cell" } } : { [column]: "the cell" };
  expect(engine.parseAndRenderSync(placeholder, cells)).toBe("the cell");
  expect(findPlaceholders(placeholder, [column])).toMatchObject([{ kind: "column", name: column }]);
});

/** What is offered at the `^` of a text: the names, and the text that they are matched with. */
function offer(marked: string) {
  const at = marked.indexOf("^");
  const start = EditorState.create({ doc: marked.replace("^", ""), extensions: [columnsField] });
  const { state } = start.update({ effects: setColumns.of(["id", "product name"]) });
  const result = completeColumns(new CompletionContext(state, at, false));
  return result === null
    ? null
    : { names: result.options.map(({ label }) => label), typed: state.sliceDoc(result.from, at) };
}

test("the columns and the row's number are offered after two braces", () => {
  expect(offer("Ask: {{^")).toEqual({ names: ["id", "product name", "row_number"], typed: "" });
  expect(offer("{{ a }}\n{{ prod^")?.typed).toBe("prod");
  expect(offer("{{ i^ }}")?.typed).toBe("i");
});

test("filters are offered after a bar, with what they do", () => {
  const offerFilters = (doc: string) =>
    completeFilters(new CompletionContext(EditorState.create({ doc }), doc.length, false));
  expect(offerFilters("{{ id | tru")?.options).toContainEqual({
    label: "truncate",
    apply: "truncate: 500",
    detail: "at most so many characters",
  });
  expect(offerFilters("{{ id | upcase | s")?.from).toBe(17);
  expect(offerFilters("{{ id ")).toBeNull();
  expect(offerFilters("a | b")).toBeNull();
});

test("a name of several words is matched as a whole, in brackets or without", () => {
  expect(offer("{{ product na^")?.typed).toBe("product na");
  expect(offer('{{ ["product^')?.typed).toBe("product");
});

test.each(["Ask ^", "{ ^", "{{ id }} ^", "{{ id | up^", "{{\n^"])("nothing is offered in %j", (text) => {
  expect(offer(text)).toBeNull();
});

test("an end that is there already is used, and that of another placeholder is not", () => {
  expect(measureClosing(" }} and more")).toBe(3);
  expect(measureClosing("ld }}")).toBe(5);
  expect(measureClosing(" and {{ other }}")).toBe(0);
  expect(measureClosing("")).toBe(0);
});
