import { type RefObject, useEffect, useEffectEvent } from "react";
import { useShortcuts } from "../../state/index.ts";
import { type BuildCommand, readBuildCommand } from "./read-build-command.ts";

const shortcuts = [
  { keys: "mod+Enter", label: "Submit the batch" },
  { keys: "mod+Z", label: "Undo" },
  { keys: "mod+shift+Z", label: "Redo" },
];

/**
 * The keys of Build, which hold while text is being typed as well: undo and redo are of the whole draft, so they
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

/** In Build, or on what holds it: the place or the page, which have the focus while no control has it. */
function isInOrAround(target: Node, root: HTMLElement | null): boolean {
  return root !== null && (root.contains(target) || target.contains(root));
}
