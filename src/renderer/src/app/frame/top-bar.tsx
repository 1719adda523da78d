import { UnstyledButton } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { Connection } from "./connection.tsx";
import { modKey } from "./keys.ts";
import classes from "./top-bar.module.css";

/** Who answers, search and commands, and what is running. */
export function TopBar() {
  return (
    <header className={classes.root}>
      <div className={classes.side}>
        <Connection />
      </div>
      <UnstyledButton className={classes.find} onClick={spotlight.open} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={15} stroke={1.8} aria-hidden />
        <span className={classes.findText}>Search, or run a command</span>
        <kbd className={classes.key}>{modKey} K</kbd>
      </UnstyledButton>
      <div className={`${classes.side} ${classes.right}`} />
    </header>
  );
}
