export type BuildCommand = "undo" | "redo" | "submit";

type Keys = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

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
