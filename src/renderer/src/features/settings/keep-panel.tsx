import { Button, Select } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { KeepSettings, RetentionView } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import {
  ConfirmDialog,
  ErrorCard,
  formatBytes,
  formatCount,
  RelativeTime,
  showFailure,
} from "../../components/index.ts";
import classes from "./settings-page.module.css";

const dayChoices = [7, 30, 90, 365];
const byteChoices = [1e9, 5e9, 20e9, 100e9];

type Planned = { readonly batches: number; readonly files: number; readonly bytes: number };

/** How long, and how much of, what has ended is kept; and what was removed for that. */
export function KeepPanel() {
  const { storage } = useApi();
  const queryClient = useQueryClient();
  const { data } = useQuery(storage.retention.queryOptions({ staleTime: 0 }));
  const show = (view: RetentionView) => {
    queryClient.setQueryData(storage.retention.queryKey(), view);
    // Any page may show what was removed.
    void queryClient.invalidateQueries();
    setAsked(null);
  };
  const set = useMutation(storage.setRetention.mutationOptions({ onSuccess: show }));
  const plan = useMutation(
    storage.planRetention.mutationOptions({
      onSuccess(planned, settings) {
        if (planned.batches + planned.files === 0) return set.mutate(settings);
        setShown({ settings, planned });
        setAsked(settings);
      },
      onError: (error) => showFailure("What would be deleted could not be found", error),
    }),
  );
  const confirmClock = useMutation(storage.confirmClock.mutationOptions({ onSuccess: show }));
  const [asked, setAsked] = useState<KeepSettings | null>(null);
  // What was asked last stays in the dialog while that is closing.
  const [shown, setShown] = useState<{ settings: KeepSettings; planned: Planned } | null>(null);
  if (data === undefined) return null;
  const { settings, paused, removed } = data;
  const change = (next: Partial<KeepSettings>) => {
    set.reset();
    plan.mutate({ ...settings, ...next });
  };
  const isLimited = settings.days !== null || settings.bytes !== null || data.deleted > 0;

  return (
    <>
      <div className={classes.panel} data-keep>
        <div className={classes.row}>
          <div className={classes.part}>
            <span id="settings-keep-days">Delete what ended long ago</span>
            <span className={classes.faint}>Batches with their answers, and files that no batch uses</span>
          </div>
          <Select
            size="xs"
            aria-labelledby="settings-keep-days"
            allowDeselect={false}
            data={listChoices(dayChoices, settings.days, "Never", (days) => `After ${formatCount(days, "day")}`)}
            value={String(settings.days ?? "")}
            onChange={(value) => change({ days: value ? Number(value) : null })}
          />
        </div>
        <div className={classes.row}>
          <div className={classes.part}>
            <span id="settings-keep-bytes">Keep at most</span>
            <span className={classes.faint}>For all files. Deleted batches are removed first, then the oldest</span>
          </div>
          <Select
            size="xs"
            aria-labelledby="settings-keep-bytes"
            allowDeselect={false}
            data={listChoices(byteChoices, settings.bytes, "No limit", formatBytes)}
            value={String(settings.bytes ?? "")}
            onChange={(value) => change({ bytes: value ? Number(value) : null })}
          />
        </div>
        {removed.length > 0 ? (
          <details className={classes.removed}>
            <summary>
              {formatCount(removed.length, "item")} deleted since Sheaf was started,{" "}
              {formatBytes(removed.reduce((sum, { bytes }) => sum + bytes, 0))}
            </summary>
            <ul>
              {removed.map(({ id, kind, name, bytes, at }) => (
                <li key={id}>
                  <span>
                    {kind === "batch" ? "Batch" : "File"} “{name}”, {formatBytes(bytes)}
                  </span>
                  <span className={classes.faint}>
                    <RelativeTime time={at} isReal />
                  </span>
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
      {isLimited && paused !== null ? (
        <div className={classes.note} data-warning role="status">
          <IconAlertTriangle size={16} aria-hidden />
          <span>
            {paused === "damaged"
              ? "Nothing is deleted yet: damage was found in the data folder. Review it in the bar at the top."
              : "Nothing is deleted yet: this computer’s clock is over a day ahead of Sheaf’s last change. If the clock is right, keep Sheaf running: it deletes after 24 hours."}
          </span>
          {paused === "clock" ? (
            <Button size="xs" loading={confirmClock.isPending} onClick={() => confirmClock.mutate(undefined)}>
              The clock is right
            </Button>
          ) : null}
        </div>
      ) : (
        <p className={classes.note}>
          Running batches, and files that newer batches need, are never deleted. What these limits delete can’t be
          restored.
        </p>
      )}
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={`Delete ${describePlan(shown?.planned)}?`}
        error={set.error ? <ErrorCard title="The setting was not saved" {...describeError(set.error)} /> : null}
        keep="Keep all"
        confirm={`Delete ${formatBytes(shown?.planned.bytes ?? 0)}`}
        isPending={set.isPending}
        onConfirm={() => shown && set.mutate(shown.settings)}
      >
        They are over the new limit and are deleted now, with their answers, verdicts and grades. This can’t be undone.
        From now on Sheaf looks once an hour.
      </ConfirmDialog>
    </>
  );
}

function describePlan(planned: Planned | undefined): string {
  const { batches = 0, files = 0 } = planned ?? {};
  const parts = [batches > 0 && formatCount(batches, "batch", "batches"), files > 0 && formatCount(files, "file")];
  return parts.filter(Boolean).join(" and ");
}

/** The choices, the one that is set among them. */
function listChoices(
  usual: readonly number[],
  current: number | null,
  none: string,
  label: (value: number) => string,
): { value: string; label: string }[] {
  const values = new Set([...usual, ...(current === null ? [] : [current])]);
  const sorted = [...values].sort((one, other) => one - other);
  return [{ value: "", label: none }, ...sorted.map((value) => ({ value: String(value), label: label(value) }))];
}
