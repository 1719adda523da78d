import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { placeholderFor, rowNumberName } from "#contract";
import { findPlaceholders, type Placeholder } from "./find-placeholders.ts";

/** Gives an editor the columns of the source. */
export const setColumns = StateEffect.define<readonly string[]>();

/** The columns that placeholders of this editor may name. */
export const columnsField = StateField.define<readonly string[]>({
  create: () => [],
  update: (columns, transaction) =>
    transaction.effects.reduce((latest, effect) => (effect.is(setColumns) ? effect.value : latest), columns),
});

const marks: Record<Placeholder["kind"], Decoration> = {
  column: Decoration.mark({ class: "cm-placeholder-column" }),
  value: Decoration.mark({ class: "cm-placeholder-tag" }),
  tag: Decoration.mark({ class: "cm-placeholder-tag" }),
  unknown: Decoration.mark({ class: "cm-placeholder-wrong", attributes: { title: "No column has this name" } }),
  unclosed: Decoration.mark({ class: "cm-placeholder-wrong", attributes: { title: "Its closing braces are missing" } }),
};

/** Draws placeholders as chips. One that is just being typed is not called wrong yet. */
const placeholderMarks = EditorView.decorations.compute([columnsField, "doc", "selection"], (state): DecorationSet => {
  const cursor = state.selection.main.head;
  const placeholders = findPlaceholders(state.doc.toString(), state.field(columnsField));
  return Decoration.set(
    placeholders
      .filter(({ kind, from, to }) => kind !== "unclosed" || cursor <= from || cursor > to)
      .map(({ kind, from, to }) => marks[kind].range(from, to)),
  );
});

const openPlaceholder = /\{\{-?\s*(?:\[?["']?)([^{}|]*)$/;

/** Filters that prompts need, with what they do; Liquid has more, and takes them as well. */
const filters: readonly (readonly [string, string])[] = [
  ['default: "none"', "in place of an empty cell"],
  ["strip", "without spaces around"],
  ["upcase", "in capitals"],
  ["downcase", "in small letters"],
  ["capitalize", "first letter in capitals"],
  ["truncate: 500", "at most so many characters"],
  ["truncatewords: 100", "at most so many words"],
  ['replace: "a", "b"', "one text for another"],
  ['remove: "a"', "without a text"],
  ["strip_html", "without HTML tags"],
  ["strip_newlines", "on one line"],
  ["newline_to_br", "line ends as <br>"],
  ["escape", "with &lt; for <"],
  ["json", "as JSON, in quotes"],
  ['split: ","', "as a list of parts"],
  ['join: ", "', "a list as one text"],
  ["first", "the first of a list"],
  ["last", "the last of a list"],
  ["size", "how many characters or parts"],
  ["round: 2", "so many decimals"],
  ["plus: 1", "added"],
  ["minus: 1", "taken away"],
  ["times: 2", "multiplied"],
  ["divided_by: 2", "divided"],
  ['date: "%Y-%m-%d"', "a date in another form"],
];

const openFilter = /\{\{-?[^{}]*\|\s*([a-z_]*)$/;

/** Offers filters after a `|` inside a placeholder. */
export function completeFilters(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const typed = openFilter.exec(line.text.slice(0, context.pos - line.from))?.[1];
  if (typed === undefined) return null;
  const options = filters.map(([apply, detail]) => ({ label: apply.replace(/:.*/, ""), apply, detail }));
  return { from: context.pos - typed.length, options, validFor: /^[a-z_]*$/ };
}

/** Offers the columns of the source between `{{` and `}}`. */
export function completeColumns(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const match = openPlaceholder.exec(before);
  if (match === null) return null;
  const opening = line.from + match.index;
  const options = [
    ...context.state.field(columnsField).map((name) => toOption(name, opening)),
    { ...toOption(rowNumberName, opening), detail: "counts from 1", boost: -50 },
  ];
  return { from: context.pos - (match[1]?.length ?? 0), options, validFor: /^[^{}|]*$/ };
}

function toOption(name: string, opening: number): Completion {
  return {
    label: name,
    apply: (view, _completion, _from, to) => replacePlaceholder(view, opening, to, placeholderFor(name)),
  };
}

/** Puts a whole placeholder in the place of the one that was begun, with its end if there is one already. */
function replacePlaceholder(view: EditorView, from: number, to: number, placeholder: string): void {
  const rest = view.state.sliceDoc(to, view.state.doc.lineAt(to).to);
  view.dispatch({
    changes: { from, to: to + measureClosing(rest), insert: placeholder },
    selection: { anchor: from + placeholder.length },
    userEvent: "input.complete",
  });
}

/** How much of the text after the cursor belongs to the placeholder that the cursor is in: up to its `}}`, or nothing. */
export function measureClosing(rest: string): number {
  return /^[^{}]*\}\}/.exec(rest)?.[0].length ?? 0;
}

/** Placeholders drawn as chips, and the columns offered where one is begun. */
export const placeholders: Extension = [
  columnsField,
  placeholderMarks,
  autocompletion({ override: [completeColumns, completeFilters], icons: false, activateOnTypingDelay: 0 }),
];
