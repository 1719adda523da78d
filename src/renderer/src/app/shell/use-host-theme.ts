import { useMantineColorScheme } from "@mantine/core";
import { useEffect } from "react";
import { useRpc } from "../../bridge/index.ts";
import { useIsDesktop } from "./host-commands.ts";

/** Has the desktop app draw its frame, menus and dialogs in the theme that is chosen. */
export function useHostTheme(): void {
  const rpc = useRpc();
  const isDesktop = useIsDesktop();
  const { colorScheme } = useMantineColorScheme();
  useEffect(() => {
    const theme = colorScheme === "auto" ? "system" : colorScheme;
    // What the system draws then stays in its own theme.
    if (isDesktop) rpc.desktop.setTheme({ theme }).catch(() => {});
  }, [rpc, isDesktop, colorScheme]);
}
