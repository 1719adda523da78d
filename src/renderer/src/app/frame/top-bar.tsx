import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconArrowLeft, IconArrowRight, IconSearch } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { modKey } from "../../components/index.ts";
import { Connection } from "./connection.tsx";
import { isDesktop } from "./platform.ts";
import { RunningCount } from "./running-count.tsx";
import classes from "./top-bar.module.css";

/** Who answers, search and commands, and what is running. */
export function TopBar() {
  return (
    <header className={classes.root}>
      <div className={classes.side}>
        {isDesktop ? <Ways /> : null}
        <Connection />
      </div>
      <UnstyledButton className={classes.find} onClick={spotlight.open} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={15} stroke={1.8} aria-hidden />
        <span className={classes.findText}>Search, or run a command</span>
        <kbd className={classes.key}>{modKey} K</kbd>
      </UnstyledButton>
      <div className={`${classes.side} ${classes.right}`}>
        <RunningCount />
      </div>
    </header>
  );
}

/** Back and forward; a browser has its own. */
function Ways() {
  const { history } = useRouter();
  return (
    <div className={classes.ways}>
      <Tooltip label="Back">
        <ActionIcon size={28} aria-label="Back" onClick={() => history.back()}>
          <IconArrowLeft size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Forward">
        <ActionIcon size={28} aria-label="Forward" onClick={() => history.forward()}>
          <IconArrowRight size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
