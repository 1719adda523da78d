import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useStore } from "zustand";
import { describeError } from "../../../bridge/index.ts";
import { formatDuration, formatExactTime, formatRelativeTime, useNow } from "../../../components/index.ts";
import classes from "./save-status.module.css";
import { useSession } from "./session-context.ts";

/** Says that what is on screen is kept, and since when; or that it is not, with the way to keep it. */
export function KeptNote() {
  const { keeper } = useSession();
  const kept = useStore(keeper.state);
  const now = useNow(1_000);
  if (kept.status === "failed") {
    return (
      <span className={classes.failed} role="alert">
        <IconAlertTriangle size={16} aria-hidden />
        <span title={describeError(kept.error).message}>Draft not kept</span>
        <Button size="compact-sm" variant="default" onClick={() => void keeper.flush()}>
          Try again
        </Button>
      </span>
    );
  }
  // The bar below says why, and what can be done.
  if (kept.status === "conflict") return <span className={classes.failed}>Draft not kept</span>;
  if (kept.status === "keeping") return <span className={classes.note}>Keeping…</span>;
  return (
    <span className={classes.note} title={formatExactTime(kept.at)}>
      Draft kept {formatAge(kept.at, Math.max(now, kept.at))}
    </span>
  );
}

/** `just now`, `4 s ago`, then as everywhere else. */
function formatAge(at: number, now: number): string {
  const age = now - at;
  if (age < 2_000) return "just now";
  return age < 60_000 ? `${formatDuration(Math.floor(age / 1000) * 1000)} ago` : formatRelativeTime(at, now);
}
