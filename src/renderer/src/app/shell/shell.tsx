import { spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useApi, useConnection } from "../../bridge/index.ts";
import { ClockAhead } from "../../components/index.ts";
import { useBatchesWatch } from "../../queries/watch.ts";
import { useHome } from "../../state/home.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { Commands } from "./commands.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { DiskBar } from "./disk-bar.tsx";
import { useFocusGuard } from "./focus-page.ts";
import { FolderBar } from "./folder-bar.tsx";
import { NoticeBar } from "./notice-bar.tsx";
import { Rail } from "./rail.tsx";
import classes from "./shell.module.css";
import { everywhere, ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { TopBar } from "./top-bar.tsx";
import { useComposedKeys } from "./use-composed-keys.ts";
import { useEndNoticesOfBrowser } from "./use-end-notices.ts";
import { useHostTheme } from "./use-host-theme.ts";
import { usePageRequests } from "./use-page-requests.ts";

/** What stays on screen on every page: the rail on the left, the bar at the top. */
export function Shell() {
  useBatchesWatch();
  useVisit();
  useEndNoticesOfBrowser();
  usePageRequests();
  useHostTheme();
  useFocusGuard();
  useComposedKeys();
  useDropGuard();
  const { status } = useConnection();
  const shortcuts = useShellShortcuts();
  return (
    <ClockAhead value={useClockAhead()}>
      <div className={classes.root} data-lost={(status !== "open" && status !== "connecting") || undefined}>
        <a className={classes.skip} href="#main">
          Skip to the content
        </a>
        <Rail />
        <div className={classes.column}>
          <TopBar />
          <ConnectionBar />
          <DiskBar />
          <FolderBar />
          <NoticeBar />
          <Outlet />
        </div>
        <Commands onShowShortcuts={shortcuts.open} />
        <ShortcutsDialog opened={shortcuts.opened} onClose={shortcuts.close} />
      </div>
    </ClockAhead>
  );
}

/** As Server turns it forward, or any program does. */
function useClockAhead(): number {
  const { data } = useQuery(useApi().server.watch.experimental_liveOptions({ retry: 2 }));
  const ahead = data?.controls.clock.ahead ?? 0;
  // The clocks of one machine differ by what passes between two looks at them.
  return ahead < 1_000 ? 0 : ahead;
}

/** A file that is dropped where no page accepts it would replace the app in the browser. */
function useDropGuard(): void {
  useEffect(() => {
    const end = new AbortController();
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    window.addEventListener("dragover", refuse, { signal: end.signal });
    window.addEventListener("drop", refuse, { signal: end.signal });
    return () => end.abort();
  }, []);
}

/** Between two looks at whether the app is looked at, in milliseconds. */
const visitPeriod = 60_000;

/** Records that the app is in use: Home shows what is newer. */
function useVisit(): void {
  useEffect(() => {
    const see = () => {
      if (document.visibilityState === "visible") useHome.getState().see(Date.now());
    };
    see();
    const timer = setInterval(see, visitPeriod);
    document.addEventListener("visibilitychange", see);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", see);
    };
  }, []);
}

/** The keys that work on every page, and whether their list is open. */
function useShellShortcuts() {
  const { history } = useRouter();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  useShortcuts(everywhere, [
    { keys: "mod+K", label: "Search, or run a command", run: spotlight.open },
    { keys: "alt+ArrowLeft", label: "Back", run: () => history.back() },
    { keys: "alt+ArrowRight", label: "Forward", run: () => history.forward() },
    { keys: "mod+,", label: "Settings", run: () => void navigate({ to: "/settings" }) },
    { keys: "F1", label: "Open the guide", run: () => void navigate({ to: "/guide" }) },
    { keys: "shift+?", label: "Show the shortcuts", run: () => setOpened(true) },
  ]);
  return { opened, open: () => setOpened(true), close: () => setOpened(false) };
}
