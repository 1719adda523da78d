import { type DragEvent, useState } from "react";

/** Takes files that are dropped anywhere on an element, and says while some are held over it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [depth, setDepth] = useState(0);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (hasFiles(event)) setDepth((before) => before + 1);
      },
      onDragLeave: (event: DragEvent) => {
        if (hasFiles(event)) setDepth((before) => Math.max(0, before - 1));
      },
      onDragOver: (event: DragEvent) => {
        if (hasFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
