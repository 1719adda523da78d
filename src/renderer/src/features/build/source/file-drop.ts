import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { readPastedRows } from "./readable-files.ts";

/**
 * Takes files that are dropped anywhere on the page, and files and rows that are pasted while no text field has
 * the focus. Answers whether files are being dragged over the page.
 */
export function useFileDrop(root: RefObject<HTMLElement | null>, onFiles: (files: readonly File[]) => void): boolean {
  const [isDropping, setDropping] = useState(false);
  const take = useEffectEvent(onFiles);

  useEffect(() => {
    let depth = 0;
    const track = (by: number) => {
      depth = Math.max(0, depth + by);
      setDropping(depth > 0);
    };
    // Every listener comes before those of the editors, which would insert a file's text.
    const listeners = {
      dragenter: (event: DragEvent) => holdsFiles(event) && track(1),
      dragleave: (event: DragEvent) => holdsFiles(event) && track(-1),
      dragover: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
      },
      drop: (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        track(-depth);
        take([...(event.dataTransfer?.files ?? [])]);
      },
      paste: (event: ClipboardEvent) => {
        if (!isOutsideText(event.target, root.current)) return;
        const files = [...(event.clipboardData?.files ?? [])];
        const rows = readPastedRows(event.clipboardData?.getData("text/plain") ?? "");
        const pasted = files.length > 0 ? files : rows === null ? [] : [rows];
        if (pasted.length === 0) return;
        event.preventDefault();
        take(pasted);
      },
    };
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    for (const [name, listener] of Object.entries(listeners)) {
      window.addEventListener(name, listener as EventListener, options);
    }
    return () => stop.abort();
  }, [root]);

  return isDropping;
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function isOutsideText(target: EventTarget | null, root: HTMLElement | null): boolean {
  if (target === document.body) return true;
  if (!(target instanceof HTMLElement) || root === null || !root.contains(target)) return false;
  return !target.isContentEditable && !(target instanceof HTMLInputElement) && !(target instanceof HTMLTextAreaElement);
}
