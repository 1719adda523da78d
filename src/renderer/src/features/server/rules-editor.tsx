import type { EditorView } from "@codemirror/view";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { RuleProblem } from "#contract";
import { describeError, useApi, useRpc } from "../../bridge/index.ts";
import { CodeMirror, ErrorCard, formatCount } from "../../components/index.ts";
import classes from "./rules-editor.module.css";
import { createRulesExtensions, showProblems } from "./rules-extensions.ts";

/** The rules of the scripted engine: written here, checked as one types, and put into force with a button. */
export function RulesEditor() {
  const api = useApi();
  const { data, error, refetch } = useQuery(api.server.rules.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  if (data !== undefined) return <Editor saved={data.text} />;
  if (error === null) return null;
  return <ErrorCard title="The rules could not be read" {...describeError(error)} onRetry={() => void refetch()} />;
}

type State =
  | { readonly kind: "checked"; readonly rules: number; readonly problems: readonly RuleProblem[] }
  | { readonly kind: "failed"; readonly error: unknown };

/** Milliseconds after the last key. */
const pause = 250;

function Editor({ saved }: { readonly saved: string }) {
  const rpc = useRpc();
  const api = useApi();
  const queryClient = useQueryClient();
  const [text, setText] = useState(saved);
  const [state, setState] = useState<State | null>(null);
  const [isSaving, setSaving] = useState(false);
  const editor = useRef<EditorView>(null);
  const problems = state?.kind === "checked" ? state.problems : [];
  const isChanged = text !== saved;

  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      rpc.server.checkRules({ text }).then(
        (checked) => isCurrent && setState({ kind: "checked", ...checked }),
        (error: unknown) => isCurrent && setState({ kind: "failed", error }),
      );
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [rpc, text]);

  useEffect(() => {
    if (editor.current !== null) showProblems(editor.current, problems);
  }, [problems]);

  const save = async () => {
    setSaving(true);
    try {
      const { problems: found } = await rpc.server.setRules({ text });
      if (found.length > 0) setState({ kind: "checked", rules: 0, problems: found });
      else queryClient.setQueryData(api.server.rules.queryKey(), { text });
    } catch (error) {
      setState({ kind: "failed", error });
    } finally {
      setSaving(false);
    }
  };

  return (
    <div className={classes.root}>
      <CodeMirror
        editor={editor}
        value={text}
        onChange={setText}
        label="Rules of the scripted engine, YAML or JSON"
        placeholder="rules:"
        problemId={problems.length > 0 ? "rules-problems" : null}
        createExtensions={createRulesExtensions}
        className={classes.editor}
      />
      <div className={classes.foot}>
        <Button
          size="xs"
          variant="filled"
          disabled={!isChanged || problems.length > 0}
          loading={isSaving}
          onClick={() => void save()}
        >
          Use these rules
        </Button>
        <Button size="xs" disabled={!isChanged} onClick={() => setText(saved)}>
          Back to those in force
        </Button>
        <output className={classes.state}>
          {state?.kind === "checked" && problems.length === 0
            ? `${formatCount(state.rules, "rule")}${isChanged ? ", not in force yet" : " in force"}`
            : ""}
        </output>
      </div>
      {state?.kind === "failed" ? (
        <ErrorCard title="The rules could not be checked" {...describeError(state.error)} />
      ) : null}
      {problems.length === 0 ? null : (
        <ul className={classes.problems} id="rules-problems" aria-label="What is wrong with the rules">
          {problems.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              <button type="button" className={classes.problem} onClick={() => goToLine(editor.current, line)}>
                Line {line}
              </button>{" "}
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function goToLine(view: EditorView | null, line: number): void {
  if (view === null || line > view.state.doc.lines) return;
  view.dispatch({ selection: { anchor: view.state.doc.line(line).from }, scrollIntoView: true });
  view.focus();
}
