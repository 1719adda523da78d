import { Button, CloseButton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Notice } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ConfirmDialog, CopyButton, ErrorCard } from "../../components/index.ts";
import classes from "./bar.module.css";

/** Damage of the data folder: nothing in it is deleted before its user has confirmed it. */
const damages: ReadonlySet<Notice["code"]> = new Set(["journal_damaged", "journal_restored"]);

/** What was amiss with the data folder when Sheaf was started, until it is closed or confirmed: all of its damage as one. */
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
  const found = notices.filter(({ code }) => damages.has(code));
  const bars = [...found.slice(0, 1), ...notices.filter(({ code }) => !damages.has(code))];
  return (
    <>
      {bars
        .filter(({ message }) => !closed.includes(message))
        .map(({ code, message, details }) => (
          <div key={message} className={classes.bar} role="status">
            <IconAlertTriangle size={16} className={classes.icon} aria-hidden />
            <span className={classes.text}>
              {message}{" "}
              {details === undefined || damages.has(code) ? null : <span className={classes.soft}>{details}</span>}
            </span>
            {damages.has(code) ? (
              <Button size="xs" onClick={() => setAsking(true)}>
                Review…
              </Button>
            ) : null}
            <CloseButton size="sm" aria-label="Close this notice" onClick={() => setClosed([...closed, message])} />
          </div>
        ))}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Part of the data folder was damaged"
        error={confirm.error ? <ErrorCard title="It was not confirmed" {...describeError(confirm.error)} /> : null}
        keep="Not yet"
        confirm="Go on with these records"
        isDestructive={false}
        isPending={confirm.isPending}
        onConfirm={() => confirm.mutate(undefined)}
      >
        <Damage notices={found} />
      </ConfirmDialog>
    </>
  );
}

/** What was damaged, what can be done before it is confirmed, and what confirming does. */
function Damage({ notices }: { readonly notices: readonly Notice[] }) {
  const [command] = notices.flatMap((notice) => notice.command ?? []);
  const details = notices.flatMap((notice) => notice.details ?? []);
  return (
    <>
      {notices.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      {command === undefined ? null : (
        <>
          <p>
            If you have a copy of the data folder, compare it first. This command lists what was hit, and changes
            nothing:
          </p>
          <div className={classes.command}>
            <code>{command}</code>
            <CopyButton compact label="Copy command" value={command} />
          </div>
        </>
      )}
      <p>
        All other records are as they were. Once you confirm, Sheaf goes on with the records as they are shown now, and
        removes what expires as before. No answer is deleted by this, the damaged bytes are kept in the folder’s
        quarantine, and batches that wait for your decision go on waiting.
      </p>
      {details.length === 0 ? null : (
        <details className={classes.details}>
          <summary>Where it was damaged</summary>
          {details.map((detail) => (
            <p key={detail}>{detail}</p>
          ))}
        </details>
      )}
    </>
  );
}
