import { Button, CloseButton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Notice } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ConfirmDialog, ErrorCard } from "../../components/index.ts";
import classes from "./bar.module.css";

/** Damage of the data folder: nothing in it is deleted before its user has confirmed it. */
const damages: ReadonlySet<Notice["code"]> = new Set(["journal_damaged", "journal_restored"]);

/** What was amiss with the data folder when Sheaf was started, until it is closed or confirmed. */
export function NoticeBar() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { data: notices = [] } = useQuery(api.app.notices.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const [closed, setClosed] = useState<readonly string[]>([]);
  const [isAsking, setAsking] = useState(false);
  const confirm = useMutation(
    api.app.confirmDamage.mutationOptions({
      onSuccess(left) {
        setAsking(false);
        queryClient.setQueryData(api.app.notices.queryKey(), left);
        void queryClient.invalidateQueries({ queryKey: api.storage.retention.queryKey() });
      },
    }),
  );
  return (
    <>
      {notices
        .filter(({ message }) => !closed.includes(message))
        .map(({ code, message }) => (
          <div key={message} className={classes.bar} role="status">
            <IconAlertTriangle size={16} className={classes.icon} aria-hidden />
            <span className={classes.text}>{message}</span>
            {damages.has(code) ? (
              <Button size="xs" onClick={() => setAsking(true)}>
                Confirm…
              </Button>
            ) : null}
            <CloseButton size="sm" aria-label="Close this notice" onClick={() => setClosed([...closed, message])} />
          </div>
        ))}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Confirm this damage?"
        error={confirm.error ? <ErrorCard title="It was not confirmed" {...describeError(confirm.error)} /> : null}
        keep="Not yet"
        confirm="Confirm"
        isPending={confirm.isPending}
        onConfirm={() => confirm.mutate(undefined)}
      >
        {notices
          .filter(({ code }) => damages.has(code))
          .map(({ message }) => (
            <p key={message}>{message}</p>
          ))}
        <p>
          If you have a copy of the data folder, compare it first. Once you confirm, the records go on as they are now,
          and Sheaf deletes what expires again. No answer is deleted by this, the damaged bytes stay in the quarantine,
          and batches that wait for your decision go on waiting.
        </p>
      </ConfirmDialog>
    </>
  );
}
