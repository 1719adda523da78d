import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { useEffect, useId } from "react";
import { create } from "zustand";

/** A key of the page that is open. */
export interface Shortcut {
  /** As `useHotkeys` writes it: `mod+Enter`, `shift+?`, `ArrowDown`. */
  readonly keys: string;
  /** What it does, for the list under `?`: "Export results". */
  readonly label: string;
  /** Left out where the focused control listens itself, such as a table for its arrows. */
  readonly run?: () => void;
}

export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

interface ShortcutState {
  readonly groups: ReadonlyMap<string, ShortcutGroup>;
  put(id: string, group: ShortcutGroup): void;
  remove(id: string): void;
}

/** What can be pressed right now: each page adds its own keys while it is on screen. */
export const useShortcutGroups = create<ShortcutState>()((set) => ({
  groups: new Map(),
  put: (id, group) => set(({ groups }) => ({ groups: new Map(groups).set(id, group) })),
  remove: (id) =>
    set(({ groups }) => {
      const rest = new Map(groups);
      rest.delete(id);
      return { groups: rest };
    }),
}));

/** Listens for the shortcuts (not while text is being typed) and lists them under `?` as long as the caller is on screen. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const id = useId();
  const described = shortcuts.map(({ keys, label }) => `${keys}\n${label}`).join("\n\n");
  useEffect(() => {
    const group = {
      title,
      shortcuts: described.split("\n\n").map((one) => {
        const [keys = "", label = ""] = one.split("\n");
        return { keys, label };
      }),
    };
    useShortcutGroups.getState().put(id, group);
    return () => useShortcutGroups.getState().remove(id);
  }, [id, title, described]);

  useHotkeys(
    shortcuts.flatMap(({ keys, run }): HotkeyItem[] =>
      run ? [[keys, (event) => runUnlessTaken(event, run), { preventDefault: false }]] : [],
    ),
    ["TEXTAREA", "SELECT"],
  );
}

/** A key belongs to an open dialog or menu before it belongs to the page below. */
function runUnlessTaken(event: KeyboardEvent, run: () => void): void {
  const target = event.target instanceof Element ? event.target : null;
  if (
    event.defaultPrevented ||
    isTypedInto(target) ||
    target?.closest('[role="dialog"], [role="menu"], [role="listbox"]')
  )
    return;
  event.preventDefault();
  run();
}

/** Inputs take text, but for those that are only chosen. */
function isTypedInto(target: Element | null): boolean {
  return target instanceof HTMLInputElement && target.type !== "radio" && target.type !== "checkbox";
}
