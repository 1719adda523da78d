export interface KeyNames {
  readonly mod: string;
  readonly alt: string;
}

const names: Readonly<Record<string, string>> = {
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  escape: "Esc",
  enter: "Enter",
  backspace: "Backspace",
  delete: "Delete",
  space: "Space",
  shift: "Shift",
};

/** The keys of a shortcut as they are printed on the keyboard, one by one: `mod+K` is `Ctrl`, `K`. */
export function formatKeys(keys: string, { mod, alt }: KeyNames): readonly string[] {
  const parts = keys.split("+").map((key) => key.toLowerCase());
  return parts
    .filter((key) => !(key === "shift" && parts.includes("?")))
    .map((key) => {
      if (key === "mod") return mod;
      if (key === "alt") return alt;
      return names[key] ?? key.toUpperCase();
    });
}

/** The name of the second modifier key on this machine. */
export const altKey = navigator.userAgent.includes("Mac") ? "⌥" : "Alt";

/** What the main modifier key is called on this machine. */
export const modKey = navigator.userAgent.includes("Mac") ? "⌘" : "Ctrl";

/** For a block that scrolls and holds nothing to focus: the keyboard must reach it to scroll it (WCAG 2.1.1). */
export const scrollable = { tabIndex: 0 } as const;
