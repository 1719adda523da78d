import { useEffect } from "react";

/** What browsers report as the key of a press that belongs to an input method. */
const composedKey = 229;

/**
 * Leaves Enter and Escape to an input method while it composes: they confirm or drop what is composed, and mean nothing to
 * any field, dialog or shortcut. Safari ends the composition before it reports the key.
 */
export function useComposedKeys(): void {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      const isComposed = event.isComposing || event.keyCode === composedKey;
      if (isComposed && (event.key === "Enter" || event.key === "Escape")) event.stopPropagation();
    };
    // Before any other listener.
    window.addEventListener("keydown", keep, { capture: true });
    return () => window.removeEventListener("keydown", keep, { capture: true });
  }, []);
}
