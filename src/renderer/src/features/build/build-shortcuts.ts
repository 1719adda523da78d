import { type RefObject, useEffect, useEffectEvent } from "react";
import { useShortcuts } from "../../state/shortcuts.ts";

export type BuildCommand = "undo" | "redo" | "submit";

type Keys = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

const shortcuts = [
  { keys: "mod+Enter", label: "Submit the batch" },
  { keys: "mod+Z", label: "Undo" },
  { keys: "mod+shift+Z", label: "Redo" },
];

/**
 * The keys of Build, which work while text is being typed as well: undo and redo are of the whole draft, so they
 * are taken before a field can use them for itself.
 */
export function useBuildShortcuts(
  root: RefObject<HTMLElement | null>,
  commands: Readonly<Record<BuildCommand, () => void>>,
): void {
  useShortcuts("Build", shortcuts);
  const run = useEffectEvent((command: BuildCommand) => commands[command]());
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const command = readBuildCommand(event, navigator.userAgent.includes("Mac"));
      const isHere = event.target instanceof Node && isInOrAround(event.target, root.current);
      if (command === null || !isHere) return;
      event.preventDefault();
      event.stopPropagation();
      run(command);
    };
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, [root]);
}

/** What a key press asks for in Build: Cmd on a Mac, Ctrl elsewhere. Null for every other key. */
export function readBuildCommand(
  { key, ctrlKey, metaKey, shiftKey, altKey }: Keys,
  isMac: boolean,
): BuildCommand | null {
  const hasModifier = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (!hasModifier || altKey) return null;
  if (key === "Enter") return "submit";
  if (key.toLowerCase() === "z") return shiftKey ? "redo" : "undo";
  return key.toLowerCase() === "y" && !isMac && !shiftKey ? "redo" : null;
}

/**
 * In Build, or on what is around it: they have the focus while no control has it. What is edited apart from the draft, with
 * an undo of its own, has its keys for itself.
 */
function isInOrAround(target: Node, root: HTMLElement | null): boolean {
  if (target instanceof Element && target.closest("[data-own-undo]") !== null) return false;
  return root !== null && (root.contains(target) || target.contains(root));
}
