import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FolderState, FolderTask } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import {
  CopyButton,
  ErrorCard,
  formatBytes,
  formatCount,
  formatNumber,
  ProgressBar,
  RelativeTime,
  showFailure,
} from "../../components/index.ts";
import { useFolder } from "../../queries/folder.ts";
import { BackupDialog } from "./backup-dialog.tsx";
import classes from "./data-section.module.css";
import { FindingsList } from "./findings-list.tsx";
import { RepairDialog } from "./repair-dialog.tsx";
import { Section } from "./section.tsx";
import rows from "./settings-page.module.css";

const failureTitles: Readonly<Record<FolderTask, string>> = {
  check: "The data was not checked",
  backup: "The backup was not made",
  repair: "The data was not repaired",
};

/** Where the data is, and what can be done with all of it: back up, check, repair. */
export function DataSection() {
  const state = useFolder();
  if (state === undefined) return null;
  return (
    <Section title="Data" id="data">
      {state.folder === null ? (
        <div className={rows.panel}>
          <div className={rows.row}>
            Sheaf runs without a data folder: closing it deletes its data. To keep data, start it with one.
          </div>
        </div>
      ) : (
        <DataPanel state={state} folder={state.folder} />
      )}
    </Section>
  );
}

function DataPanel({ state, folder }: { readonly state: FolderState; readonly folder: string }) {
  const api = useApi();
  const { data: size } = useQuery(api.storage.measure.queryOptions({ staleTime: 0 }));
  const [asked, setAsked] = useState<"backup" | "repair" | null>(null);
  const close = () => setAsked(null);
  const onError = (error: unknown) => showFailure("This did not start", error);
  const check = useMutation(api.folder.check.mutationOptions({ onError }));
  const cancel = useMutation(api.folder.cancel.mutationOptions({ onError }));
  const backUp = useMutation(api.folder.backUp.mutationOptions({ onError }));
  const { task, failure } = state;
  const repairable = state.check?.repairable ?? 0;

  /** Begins a task, or ends it while it is under way: one button, which keeps the focus. */
  const actionOf = (kind: "check" | "backup", label: string, begin: () => void) => {
    const isOwn = task?.kind === kind;
    return (
      <Button size="xs" disabled={task !== null && !isOwn} onClick={() => (isOwn ? cancel.mutate(undefined) : begin())}>
        {isOwn ? "Cancel" : label}
      </Button>
    );
  };

  return (
    <div className={rows.panel}>
      <div className={rows.row}>
        <div className={rows.part}>
          <span>Data folder{size === undefined ? "" : `, ${formatBytes(size.bytes)}`}</span>
          <code className={rows.url}>{folder}</code>
        </div>
        <CopyButton value={folder} label="Copy the data folder" compact />
      </div>
      <div className={rows.row}>
        <div className={rows.part}>
          <span>Backup</span>
          <span className={rows.faint} role="status">
            {describeBackup(state) ?? "Copies everything except keys to a new folder, while batches run"}
          </span>
        </div>
        {actionOf("backup", "Back up…", () =>
          state.suggestedPlace === null ? backUp.mutate({ place: null }) : setAsked("backup"),
        )}
      </div>
      <TaskProgress state={state} kind="backup" />
      <div className={rows.row}>
        <div className={rows.part}>
          <span>Check</span>
          <span className={rows.faint} role="status">
            {state.check === null ? (
              "Reads every record, file and answer, and lists all damage. It changes nothing"
            ) : (
              <CheckVerdict check={state.check} />
            )}
          </span>
        </div>
        {actionOf("check", "Check data", () => check.mutate(undefined))}
      </div>
      <TaskProgress state={state} kind="check" />
      {state.check === null || state.check.findings.length === 0 ? null : (
        <FindingsList
          label="Found in the data folder"
          findings={state.check.findings}
          more={state.check.more}
          repairLabel="Repair"
        />
      )}
      <div className={rows.row}>
        <div className={rows.part}>
          <span>Repair</span>
          <span className={rows.faint} role="status">
            {describeRepair(state)}
          </span>
        </div>
        <Button size="xs" disabled={task !== null || repairable === 0} onClick={() => setAsked("repair")}>
          Repair…
        </Button>
      </div>
      <TaskProgress state={state} kind="repair" />
      {state.repair === null || state.repair.findings.length === 0 ? null : (
        <FindingsList
          label="Repaired"
          findings={state.repair.findings}
          more={state.repair.more}
          repairLabel="Repaired"
        />
      )}
      {failure === null ? null : (
        <div className={classes.card}>
          <ErrorCard title={failureTitles[failure.kind]} message={failure.message} details={failure.message} />
        </div>
      )}
      <BackupDialog
        opened={asked === "backup"}
        suggestedPlace={state.suggestedPlace ?? ""}
        error={backUp.error ? <ErrorCard title="The backup did not start" {...describeError(backUp.error)} /> : null}
        onClose={close}
        onBackUp={(place) => backUp.mutate({ place }, { onSuccess: close })}
      />
      <RepairDialog
        opened={asked === "repair"}
        check={state.check}
        onClose={close}
        onBackUp={() => {
          if (state.suggestedPlace !== null) return setAsked("backup");
          close();
          backUp.mutate({ place: null });
        }}
      />
    </div>
  );
}

function TaskProgress({ state: { task }, kind }: { readonly state: FolderState; readonly kind: FolderTask }) {
  if (task === null || task.kind !== kind) return null;
  const { done, total } = task;
  const text = total === 0 ? "Beginning" : `${formatNumber(done)} of ${formatCount(total, "record")}`;
  return (
    <div className={classes.progress}>
      <ProgressBar label={progressLabels[kind]} share={total === 0 ? null : done / total} text={text} />
      <span className={rows.faint}>{text}</span>
    </div>
  );
}

const progressLabels: Readonly<Record<FolderTask, string>> = {
  check: "Checking the data",
  backup: "Backing up",
  repair: "Repairing the data",
};

function CheckVerdict({ check }: { readonly check: NonNullable<FolderState["check"]> }) {
  const { damages, batches, files, at } = check;
  const verdict = damages === 0 ? "No damage." : `Damage in ${formatCount(damages, "place")}.`;
  return (
    <>
      {verdict} {formatCount(batches, "batch", "batches")} and {formatCount(files, "file")}, checked{" "}
      <RelativeTime time={at} isReal />
    </>
  );
}

function describeBackup({ backup }: FolderState): string | null {
  if (backup === null) return null;
  const { path, bytes, batches, damages } = backup;
  const what = `${formatCount(batches, "batch", "batches")}, ${formatBytes(bytes)}`;
  const damage = damages === 0 ? "" : ` It includes the damage in ${formatCount(damages, "place")}.`;
  return `Copied to ${path}: ${what}. Keys are not in it.${damage}`;
}

function describeRepair({ task, check, repair }: FolderState): string {
  if (task?.kind === "repair") return "Running batches wait until the folder is open again.";
  if (repair !== null) {
    const count = repair.findings.length + repair.more;
    return `${formatCount(count, "place")} repaired. The damaged bytes are in the folder’s quarantine.`;
  }
  if (check === null) return "Check the data first: that shows what a repair changes.";
  return check.repairable === 0 ? "Nothing to repair" : `${formatCount(check.repairable, "place")} can be repaired.`;
}
