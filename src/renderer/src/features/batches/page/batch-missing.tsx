import { Button } from "@mantine/core";
import { IconFileUnknown, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../bridge/index.ts";
import { EmptyState, RelativeTime } from "../../../components/index.ts";
import { deletedOptions } from "../deleted/deleted-options.ts";
import { useRestoreBatches } from "../use-restore-batches.ts";

export interface BatchMissingProps {
  readonly batchId: string;
  /** Why it can't be shown. */
  readonly message: string;
  readonly onBack: () => void;
  /** It was restored. */
  readonly onRestored: () => void;
}

/** In place of a batch that isn't there: a deleted one can be restored. */
export function BatchMissing({ batchId, message, onBack, onRestored }: BatchMissingProps) {
  const { data } = useQuery(deletedOptions(useApi()));
  const restore = useRestoreBatches();
  const deleted = data?.find(({ id }) => id === batchId);
  const back = <Button onClick={onBack}>Go to batches</Button>;
  if (deleted === undefined) {
    return (
      <EmptyState
        icon={<IconFileUnknown size={26} stroke={1.5} />}
        isPage
        title="This batch does not exist"
        actions={back}
      >
        {message}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconTrash size={26} stroke={1.5} />}
      isPage
      title={`“${deleted.name}” is deleted`}
      actions={
        <>
          <Button variant="filled" onClick={() => void restore([batchId]).then(onRestored)}>
            Restore
          </Button>
          {back}
        </>
      }
    >
      Deleted <RelativeTime time={deleted.deletedAt} isReal />. It can be restored until{" "}
      {new Date(deleted.removedAt).toLocaleDateString(undefined, { day: "numeric", month: "long" })}.
    </EmptyState>
  );
}
