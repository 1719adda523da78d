import type { IconHome } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { PageCommand } from "#contract";
import { useApi, useConnection, useRpc } from "../../bridge/index.ts";

/** A command of the palette, which the desktop app has in its menu, too. */
export interface Command extends Omit<PageCommand, "enabled"> {
  readonly keywords: readonly string[];
  readonly icon: typeof IconHome;
  /** False while it can't be done; it can by default. */
  readonly enabled?: boolean;
  readonly run: () => void;
}

let current: readonly Command[] = [];

/** Does what was chosen in the desktop app's menu. */
export function runCommand(id: string): void {
  current.find((command) => command.id === id && command.enabled !== false)?.run();
}

/** Whether the page is in the desktop app; false as long as that is not known. */
export function useIsDesktop(): boolean {
  const { data } = useQuery(useApi().app.info.queryOptions());
  return data?.host === "electron";
}

/** Keeps the desktop app's menu up to date with the palette. */
export function useHostCommands(commands: readonly Command[]): void {
  const rpc = useRpc();
  const isDesktop = useIsDesktop();
  const { status } = useConnection();
  const sent = JSON.stringify(
    commands.map(
      ({ id, label, menu, keys, enabled = true }): PageCommand => ({
        id,
        label,
        menu,
        keys,
        enabled: enabled && status === "open",
      }),
    ),
  );
  useEffect(() => {
    current = commands;
  }, [commands]);
  useEffect(() => {
    // A menu that is not told keeps what it has; the page offers the same.
    if (isDesktop) rpc.desktop.setCommands(JSON.parse(sent)).catch(() => {});
  }, [rpc, isDesktop, sent]);
}
