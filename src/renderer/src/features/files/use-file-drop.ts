import { useEffect, useEffectEvent, useState } from "react";
import { takeDropped } from "../../components/index.ts";

/** Takes files that are dropped anywhere in the window, and reports whether some are held over it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const end = new AbortController();
    const listen = (type: "dragenter" | "dragover" | "dragleave" | "drop", run: (event: DragEvent) => void) =>
      document.addEventListener(
        type,
        (event) => {
          if (event.dataTransfer?.types.includes("Files")) run(event);
        },
        { signal: end.signal },
      );
    listen("dragenter", () => setOver(true));
    listen("dragover", (event) => event.preventDefault());
    // What is entered instead is the window's outside.
    listen("dragleave", ({ relatedTarget }) => relatedTarget === null && setOver(false));
    listen("drop", (event) => {
      event.preventDefault();
      setOver(false);
      take(takeDropped(event.dataTransfer));
    });
    return () => end.abort();
  }, []);
  return isOver;
}
