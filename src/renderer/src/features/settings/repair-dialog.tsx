import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FolderState } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ConfirmDialog, ErrorCard } from "../../components/index.ts";
import classes from "./data-section.module.css";
import { FindingsList } from "./findings-list.tsx";

interface RepairDialogProps {
  readonly opened: boolean;
  readonly check: FolderState["check"];
  readonly onClose: () => void;
  readonly onBackUp: () => void;
}

/** Shows what a repair changes before it begins. */
export function RepairDialog({ opened, check, onClose, onBackUp }: RepairDialogProps) {
  const repair = useMutation(useApi().folder.repair.mutationOptions({ onSuccess: onClose }));
  const changed = (check?.findings ?? []).filter((finding) => finding.repair !== null);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Repair the data folder?"
      error={repair.error ? <ErrorCard title="The repair did not start" {...describeError(repair.error)} /> : null}
      keep="Not now"
      confirm="Repair"
      isDestructive={false}
      isPending={repair.isPending}
      onConfirm={() => repair.mutate(undefined)}
    >
      <p>
        Sheaf closes the data folder, repairs it and opens it again. It first waits up to a minute for requests in
        flight. Running batches continue afterwards.
      </p>
      <p>The damaged bytes stay in the folder’s quarantine. To be able to undo the repair, make a backup first.</p>
      <Button size="xs" className={classes.first} onClick={onBackUp}>
        Back up first…
      </Button>
      <FindingsList
        label="What is repaired"
        findings={changed}
        more={(check?.repairable ?? 0) - changed.length}
        repairLabel="Repair"
      />
    </ConfirmDialog>
  );
}
