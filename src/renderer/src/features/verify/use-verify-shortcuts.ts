import { type RefObject, useEffect, useEffectEvent } from "react";
import { useShortcuts } from "../../state/index.ts";

export interface VerifyCommands {
  readonly verify: () => void;
  readonly goToClaims: () => void;
}

const shortcuts = [
  { keys: "mod+Enter", label: "Verify" },
  { keys: "mod+shift+Enter", label: "Go to the claims" },
  { keys: "ArrowDown", label: "Next claim" },
  { keys: "ArrowUp", label: "Previous claim" },
];

/** The keys of Verify, which hold while text is being typed as well. */
export function useVerifyShortcuts(root: RefObject<HTMLElement | null>, commands: VerifyCommands): void {
  useShortcuts("Verify", shortcuts);
  const run = useEffectEvent((name: keyof VerifyCommands) => commands[name]());
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isMain = navigator.userAgent.includes("Mac") ? event.metaKey : event.ctrlKey;
      const place = root.current;
      const isHere = place !== null && event.target instanceof Node && isInOrAround(event.target, place);
      if (event.key !== "Enter" || !isMain || event.altKey || !isHere) return;
      event.preventDefault();
      event.stopPropagation();
      run(event.shiftKey ? "goToClaims" : "verify");
    };
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, [root]);
}

/** In Verify, or on what holds it: the place or the page, which have the focus while no control has it. */
function isInOrAround(target: Node, root: HTMLElement): boolean {
  return root.contains(target) || target.contains(root);
}
