import { Button } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorCard } from "../../components/index.ts";
import classes from "./failed-place.module.css";

/** Stands in for a place that could not be drawn. Nothing that was kept is lost by it. */
export function FailedPlace({ error, reset }: ErrorComponentProps) {
  const details = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error);
  return (
    <main className={classes.root}>
      <ErrorCard
        title="This place could not be shown"
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
