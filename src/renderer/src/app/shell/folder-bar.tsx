import { Button } from "@mantine/core";
import { IconDatabaseExclamation } from "@tabler/icons-react";
import { matchQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useApi } from "../../bridge/index.ts";
import { showFailure } from "../../components/index.ts";
import { useFolder } from "../../queries/folder.ts";
import classes from "./bar.module.css";

/** Reports on every page that the data folder is being repaired, or why it can't be opened again. */
export function FolderBar() {
  const { folder } = useApi();
  const queryClient = useQueryClient();
  const state = useFolder();
  const isRepairing = state?.task?.kind === "repair";
  const closedBecause = isRepairing ? null : (state?.closedBecause ?? null);
  const reopen = useMutation(
    folder.reopen.mutationOptions({ onError: (error) => showFailure("The data folder was not opened", error) }),
  );
  // All that is shown is from before, and its streams have ended.
  const refresh = useEffectEvent(() => {
    const ofFolder = { queryKey: folder.key() };
    void queryClient.invalidateQueries({ predicate: (query) => !matchQuery(ofFolder, query) });
  });
  // The count, not the end of a repair: a page in the background misses states that come in quick succession.
  const openings = state?.openings;
  useEffect(() => (openings === undefined ? undefined : refresh), [openings]);
  return (
    <div role="status">
      {isRepairing || closedBecause !== null ? (
        <div className={classes.bar}>
          <IconDatabaseExclamation size={18} className={classes.icon} aria-hidden />
          <p className={classes.text}>
            {closedBecause === null ? (
              <>
                <strong>The data folder is being repaired.</strong>{" "}
                <span className={classes.soft}>
                  Running batches, and what you do here, wait until it is open again.
                </span>
              </>
            ) : (
              <>
                <strong>The data folder is closed.</strong> {closedBecause}
              </>
            )}
          </p>
          {closedBecause === null ? null : (
            <Button size="xs" loading={reopen.isPending} onClick={() => reopen.mutate(undefined)}>
              Open it again
            </Button>
          )}
        </div>
      ) : null}
    </div>
  );
}
