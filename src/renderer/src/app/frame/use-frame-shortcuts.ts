import { spotlight } from "@mantine/spotlight";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useShortcuts } from "../../state/index.ts";
import { everywhere } from "./shortcuts-dialog.tsx";

/** The keys that work in every place, and whether their list is open. */
export function useFrameShortcuts() {
  const { history } = useRouter();
  const [opened, setOpened] = useState(false);
  useShortcuts(everywhere, [
    { keys: "mod+K", label: "Search, or run a command", run: spotlight.open },
    { keys: "alt+ArrowLeft", label: "Back", run: () => history.back() },
    { keys: "alt+ArrowRight", label: "Forward", run: () => history.forward() },
    { keys: "shift+?", label: "Show the shortcuts", run: () => setOpened(true) },
  ]);
  return { opened, open: () => setOpened(true), close: () => setOpened(false) };
}
