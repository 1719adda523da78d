import { notifications } from "@mantine/notifications";
import { IconFileImport } from "@tabler/icons-react";
import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { showFailure, takeDropped } from "../../../components/index.ts";
import { useSession } from "../draft/draft-session.ts";
import { explainUnreadable, readPastedRows } from "./readable-files.ts";
import classes from "./source.module.css";

/**
 * Takes files that are dropped anywhere on the page, and files and rows that are pasted while no text field has
 * the focus. Answers whether files are being dragged over the page.
 */
export function useFileDrop(root: RefObject<HTMLElement | null>, onFiles: (files: readonly File[]) => void): boolean {
  const [isDropping, setDropping] = useState(false);
  const accept = useEffectEvent(onFiles);

  useEffect(() => {
    let depth = 0;
    const track = (by: number) => {
      depth = Math.max(0, depth + by);
      setDropping(depth > 0);
    };
    const stop = new AbortController();
    // Every listener comes before those of the editors, which would insert a file's text.
    const options = { capture: true, signal: stop.signal };
    window.addEventListener("dragenter", (event) => hasFiles(event) && track(1), options);
    window.addEventListener("dragleave", (event) => hasFiles(event) && track(-1), options);
    window.addEventListener(
      "dragover",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
      },
      options,
    );
    window.addEventListener(
      "drop",
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        track(-depth);
        accept(takeDropped(event.dataTransfer));
      },
      options,
    );
    window.addEventListener(
      "paste",
      (event) => {
        if (!isOutsideText(event.target, root.current)) return;
        const files = takeDropped(event.clipboardData);
        const read = (type: string) => event.clipboardData?.getData(type) ?? "";
        const rows = readPastedRows({ plain: read("text/plain"), html: read("text/html") });
        // Excel puts a picture of the cells next to their text.
        const isRows = rows !== null && files.every(({ type }) => type.startsWith("image/"));
        const pasted = isRows ? [rows] : files;
        if (pasted.length === 0) return;
        event.preventDefault();
        accept(pasted);
      },
      options,
    );
    return () => stop.abort();
  }, [root]);

  return isDropping;
}

/** Makes the first of the files the draft's source, wherever they come from. */
export function useAcceptFiles(): (files: readonly File[]) => void {
  const { upload } = useSession();
  return (files) => {
    const [file, ...others] = files;
    if (file === undefined) return;
    const reason = explainUnreadable(file);
    if (reason !== null) {
      // An upload that is on its way is not given up for it.
      const isBusy = upload.state.getState().status === "running";
      if (isBusy) showFailure(`${file.name} can’t be used`, reason);
      else upload.refuse(file.name, reason);
      return;
    }
    if (others.length > 0) {
      notifications.show({ message: `A batch has one source: ${file.name} was taken, the other files were not.` });
    }
    upload.start(file);
  };
}

/** Lies over the page while files are dragged over the window. */
export function DropOverlay() {
  return (
    <div className={classes.dropOverlay} aria-hidden>
      <div className={classes.dropCard}>
        <IconFileImport size={28} stroke={1.5} />
        <span>Drop to use as the source</span>
      </div>
    </div>
  );
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function isOutsideText(target: EventTarget | null, root: HTMLElement | null): boolean {
  if (target === document.body) return true;
  if (!(target instanceof HTMLElement) || root === null || !root.contains(target)) return false;
  return !target.isContentEditable && !(target instanceof HTMLInputElement) && !(target instanceof HTMLTextAreaElement);
}
