import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { completeColumns, measureClosing } from "./complete-columns.ts";
import { columnsField, setColumns } from "./placeholder-marks.ts";

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
