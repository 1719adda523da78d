import { Button } from "@mantine/core";
import { IconMapOff, IconTerminal2 } from "@tabler/icons-react";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { EmptyState, ErrorCard } from "../components/index.ts";
import classes from "./message-pages.module.css";
import { Page } from "./shell/page.tsx";

/** All that a browser is shown that has not been let in: why, and how to get in. */
export function NoEntryPage() {
  return (
    <main className={classes.root}>
      <title>Sheaf needs a fresh address</title>
      <EmptyState icon={<IconTerminal2 size={26} />} isPage title="Sheaf needs a fresh address">
        Each address that Sheaf prints lets in one browser, once. This one was used already, is not complete, or is from
        an earlier run. Press Enter in the terminal where Sheaf runs, or start Sheaf again, and open the address that it
        prints.
      </EmptyState>
    </main>
  );
}

/** Shown in place of a page that could not be drawn. Nothing that was stored is lost by it. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const details = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error);
  return (
    <main className={classes.root}>
      <ErrorCard
        title="This page could not be shown"
        message="Something in the page itself went wrong. Batches go on running, and drafts are kept. Try again, or reload the page."
        details={details}
        onRetry={reset}
        actions={
          <Button size="xs" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      />
    </main>
  );
}

/** An address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page title="Nothing here">
      <EmptyState
        icon={<IconMapOff size={26} />}
        isPage
        title="Nothing is at this address"
        actions={
          <Button variant="filled" renderRoot={(props) => <Link to="/batches" {...props} />}>
            Go to batches
          </Button>
        }
      >
        The link may be old, or the thing may have been removed.
      </EmptyState>
    </Page>
  );
}
