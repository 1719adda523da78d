import { Outlet } from "@tanstack/react-router";
import { useBatchesWatch } from "../../features/batches/index.ts";
import { Commands } from "./commands.tsx";
import classes from "./frame.module.css";
import { Rail } from "./rail.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { TopBar } from "./top-bar.tsx";
import { useFrameShortcuts } from "./use-frame-shortcuts.ts";

/** What stays on screen in every place: the rail on the left, the bar at the top. */
export function Frame() {
  useBatchesWatch();
  const shortcuts = useFrameShortcuts();
  return (
    <div className={classes.root}>
      <a className={classes.skip} href="#main">
        Skip to the content
      </a>
      <Rail />
      <div className={classes.column}>
        <TopBar />
        <Outlet />
      </div>
      <Commands onShowShortcuts={shortcuts.open} />
      <ShortcutsDialog opened={shortcuts.opened} onClose={shortcuts.close} />
    </div>
  );
}
