import { Annotation, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type RefObject, useEffect, useEffectEvent } from "react";

/** Marks a change that comes from outside, so that it is not reported back as typed. */
export const fromOutside = Annotation.define<true>();

/** Tells of every text that the user makes, by typing or otherwise. */
export function reportTyping(report: (text: string) => void): Extension {
  return EditorView.updateListener.of(({ docChanged, transactions, state }) => {
    if (docChanged && !transactions.some((one) => one.annotation(fromOutside))) report(state.doc.toString());
  });
}

/**
 * Keeps an editor in the element `host` for as long as the component lives: null in `editor` before it is there and once
 * it is gone. `create` is called once, and sees the props of that moment.
 */
export function useCodeMirror(
  host: RefObject<HTMLElement | null>,
  editor: RefObject<EditorView | null>,
  create: (parent: HTMLElement) => EditorView,
): void {
  const createEditor = useEffectEvent(create);

  useEffect(() => {
    if (host.current === null) return;
    const view = createEditor(host.current);
    editor.current = view;
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, [host, editor]);
}
