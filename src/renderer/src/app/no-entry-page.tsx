import { IconTerminal2 } from "@tabler/icons-react";
import { EmptyState } from "../components/index.ts";
import classes from "./app.module.css";

/** All that a browser is shown that has not been let in: why, and how to get in. */
export function NoEntryPage() {
  return (
    <main className={classes.noEntry}>
      <title>Sheaf needs a fresh address</title>
      <EmptyState icon={<IconTerminal2 size={26} />} isPage title="Sheaf needs a fresh address">
        Each address that Sheaf prints lets in one browser, once. This one was used already, is not complete, or is from
        an earlier run. Press Enter in the terminal where Sheaf runs, or start Sheaf again, and open the address that it
        prints.
      </EmptyState>
    </main>
  );
}
