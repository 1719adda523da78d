import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { json, jsonLanguage } from "@codemirror/lang-json";
import type { Extension } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Source } from "#contract";
import { describeError, useRpc } from "../../../bridge/index.ts";
import { CodeMirror, ErrorCard, formatNumber } from "../../../components/index.ts";
import { useShortcuts } from "../../../state/shortcuts.ts";
import { spreadOut, toLine } from "./edited-line.ts";
import classes from "./line-editor.module.css";
import { useRows } from "./source-rows.ts";
import { useStoreSource } from "./use-source.ts";

interface LineEditorProps {
  readonly source: Source;
  /** The line that is edited, from 1. */
  readonly line: number;
  /** What was typed and not saved yet, by line: it is there again when its line is. */
  readonly unsaved: Map<number, string>;
  readonly onClose: () => void;
}

/** Edits one line of a file of requests. The file stays as it is; what is saved is read in the place of the line. */
export function LineEditor(props: LineEditorProps) {
  const { source, line } = props;
  const hasFocus = useRef(false);
  const rows = useRows(source.id, { first: line - 1, last: line - 1 });
  const stored = rows.find(line - 1)?.cells.line;
  if (rows.error !== null) {
    return <ErrorCard title="The line could not be read" {...describeError(rows.error)} onRetry={rows.refetch} />;
  }
  // A line that was saved is another text: the editor starts over with it.
  return stored === undefined ? null : (
    <OpenEditor {...props} key={`${line} ${stored}`} stored={stored} hasFocus={hasFocus} />
  );
}

const shortcuts = [{ keys: "mod+S", label: "Save the line" }];

interface OpenEditorProps extends LineEditorProps {
  readonly stored: string;
  /** Whether the focus has gone to the editor already: it does once, not with every line that is chosen. */
  readonly hasFocus: RefObject<boolean>;
}

function OpenEditor({ source, line, stored, unsaved, hasFocus, onClose }: OpenEditorProps) {
  const editor = useRef<EditorView>(null);
  const [original] = useState(() => spreadOut(stored));
  const [text, setText] = useState(unsaved.get(line) ?? original);
  const fault = describeSyntax(text);
  const save = useSaveLine(source.id, line, () => unsaved.delete(line));
  const isEdited = source.editedLines.includes(line);
  const isChanged = text !== original;
  const saveText = () => {
    if (isChanged && !save.isPending) save.mutate(toLine(text));
  };
  useEffect(() => {
    if (!hasFocus.current) editor.current?.focus();
    hasFocus.current = true;
  }, [hasFocus]);
  useShortcuts("Line of a batch file", shortcuts);
  const saveByKey = useEffectEvent(() => {
    saveText();
    return true;
  });

  const createExtensions = (): Extension => [
    json(),
    history(),
    EditorView.lineWrapping,
    keymap.of([{ key: "Mod-s", run: saveByKey }, ...historyKeymap, ...standardKeymap]),
    syntaxError,
  ];

  return (
    <section className={classes.root} data-own-undo aria-label={`Line ${formatNumber(line)}`}>
      <header className={classes.head}>
        <h2>
          Line {formatNumber(line)}
          {isEdited ? <span className={classes.edited}>edited</span> : null}
        </h2>
        {isEdited ? (
          <Button size="compact-xs" variant="subtle" disabled={save.isPending} onClick={() => save.mutate(null)}>
            Revert to the file
          </Button>
        ) : null}
        <Button size="compact-xs" variant="subtle" onClick={onClose}>
          Close
        </Button>
        <Button size="compact-xs" disabled={!isChanged} loading={save.isPending} onClick={saveText}>
          Save line
        </Button>
      </header>
      <div className={classes.scroller}>
        <CodeMirror
          editor={editor}
          value={text}
          onChange={(typed) => {
            unsaved.set(line, typed);
            setText(typed);
          }}
          label={`Request of line ${formatNumber(line)}`}
          placeholder="A request as JSON"
          problemId={fault === null ? null : "line-editor-fault"}
          createExtensions={createExtensions}
          className={classes.editor}
        />
      </div>
      <p className={classes.fault} id="line-editor-fault" role="status">
        {save.error === null ? fault : describeError(save.error).message}
      </p>
    </section>
  );
}

/** Stores the text of a line; null puts back what the file has. */
function useSaveLine(sourceId: string, line: number, onSaved: () => void) {
  const rpc = useRpc();
  const store = useStoreSource();
  return useMutation({
    mutationFn: (text: string | null) => rpc.sources.editLine({ id: sourceId, line, text }),
    onSuccess(source) {
      onSaved();
      store(source);
    },
  });
}

const wrong = Decoration.mark({ class: "cm-json-wrong" });

/** Marks the first place where the text is no JSON. */
const syntaxError = EditorView.decorations.compute(["doc"], ({ doc }) => {
  const at = findSyntaxError(doc.toString());
  if (at === null || doc.length === 0) return Decoration.none;
  const from = Math.min(at, doc.length - 1);
  return Decoration.set(wrong.range(from, from + 1));
});

function findSyntaxError(text: string): number | null {
  let found: number | null = null;
  jsonLanguage.parser.parse(text).iterate({
    enter({ type, from }) {
      if (type.isError) found ??= from;
      return found === null;
    },
  });
  return found;
}

function describeSyntax(text: string): string | null {
  if (text.trim() === "") return "This line is empty. A request is a JSON object.";
  const at = findSyntaxError(text);
  if (at === null) return null;
  const before = text.slice(0, at).split("\n");
  return `This is not JSON from line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}
