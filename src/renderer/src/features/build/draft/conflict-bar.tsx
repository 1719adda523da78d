import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useStore } from "zustand";
import classes from "./conflict-bar.module.css";
import { useSession } from "./session-context.ts";
import { showFailure } from "./use-drafts.ts";

/** Where a draft was changed in another window meanwhile: says so, and asks which of the two is to stay. */
export function ConflictBar() {
  const { keeper, keepMine, loadOther } = useSession();
  const { status } = useStore(keeper.state);
  const settle = useMutation({
    mutationFn: (way: () => Promise<void>) => way(),
    onError: (error) => showFailure("The other version could not be read", error),
  });
  if (status !== "conflict") return null;
  return (
    <div className={classes.root} role="alert">
      <IconAlertTriangle size={18} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <strong className={classes.title}>This draft was changed in another window.</strong> What is here is not kept
        yet. Keeping it overwrites the other version; loading the other can be undone.
      </div>
      <div className={classes.actions}>
        <Button size="xs" disabled={settle.isPending} onClick={() => settle.mutate(keepMine)}>
          Keep mine
        </Button>
        <Button size="xs" disabled={settle.isPending} onClick={() => settle.mutate(loadOther)}>
          Load the other
        </Button>
      </div>
    </div>
  );
}
