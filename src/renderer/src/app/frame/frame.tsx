import { Outlet } from "@tanstack/react-router";
import { useBatchesWatch } from "../../features/batches/index.ts";
import classes from "./frame.module.css";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";

/** What stays on screen in every place: the rail on the left, the bar at the top. */
export function Frame() {
  useBatchesWatch();
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
    </div>
  );
}
