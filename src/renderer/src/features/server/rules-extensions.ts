import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { RuleProblem } from "#contract";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--blue)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--violet)" },
  { tag: tags.comment, color: "var(--faint)" },
  { tag: [tags.punctuation, tags.separator], color: "var(--soft)" },
]);

/** YAML, which JSON is too, with line numbers and marks at the lines with problems. Tab leaves the editor. */
export function createRulesExtensions(): Extension {
  return [
    lineNumbers(),
    history(),
    yaml(),
    syntaxHighlighting(colours),
    lintGutter(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
  ];
}

/** Marks the lines of the problems, each with its message; without any, nothing is marked. */
export function showProblems(view: EditorView, problems: readonly RuleProblem[]): void {
  const { doc } = view.state;
  const marks = problems.map(({ line, message }): Diagnostic => {
    const { from, to, text } = doc.line(Math.min(line, doc.lines));
    return { from: from + (text.length - text.trimStart().length), to, severity: "error", message };
  });
  view.dispatch(setDiagnostics(view.state, marks));
}
