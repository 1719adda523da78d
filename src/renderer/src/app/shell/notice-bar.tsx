import { Button, CloseButton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { formatNumber, type Notice } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ConfirmDialog, ErrorCard } from "../../components/index.ts";
import classes from "./bar.module.css";

/** Damage of the data folder: nothing in it is deleted before its user has confirmed it. */
const damages: ReadonlySet<Notice["code"]> = new Set(["journal_damaged", "journal_restored"]);

/** Milliseconds between two requests for notices: Sheaf finds a damaged record only when it reads it. */
const refreshInterval = 60_000;

type Kind = "folder" | "records" | "other";

function kindOf({ code }: Notice): Kind {
  if (damages.has(code)) return "folder";
  return code === "record_damaged" ? "records" : "other";
}

/** Shows damage of the data folder until the user closes or confirms it: one bar for the journal, one for all records. */
export function NoticeBar() {
  const api = useApi();
  const queryClient = useQueryClient();
  const options = { staleTime: Number.POSITIVE_INFINITY, refetchInterval: refreshInterval };
  const { data: notices = [] } = useQuery(api.app.notices.queryOptions(options));
  const [closed, setClosed] = useState<readonly Notice[]>([]);
  const [reviewed, setReviewed] = useState<Kind | null>(null);
  const confirm = useMutation(
    api.app.confirmDamage.mutationOptions({
      onSuccess(left) {
        setReviewed(null);
        queryClient.setQueryData(api.app.notices.queryKey(), left);
        void queryClient.invalidateQueries({ queryKey: api.storage.retention.queryKey() });
      },
    }),
  );
  const isClosed = ({ message }: Notice) => closed.some((one) => one.message === message);
  const ofKind = (kind: Kind) => notices.filter((notice) => kindOf(notice) === kind && !isClosed(notice));
  const [folder, records] = [ofKind("folder"), ofKind("records")];
  const close = (some: readonly Notice[]) => setClosed([...closed, ...some]);
  return (
    <>
      <Bar notices={folder} onReview={() => setReviewed("folder")} onClose={close} />
      <Bar notices={records} onReview={() => setReviewed("records")} onClose={close} />
      {ofKind("other").map((notice) => (
        <Bar key={notice.message} notices={[notice]} onClose={close} />
      ))}
      <ConfirmDialog
        opened={reviewed === "folder"}
        onClose={() => setReviewed(null)}
        title="Part of the data folder was damaged"
        error={confirm.error ? <ErrorCard title="It was not confirmed" {...describeError(confirm.error)} /> : null}
        keep="Not yet"
        confirm="Go on with these records"
        isDestructive={false}
        isPending={confirm.isPending}
        onConfirm={() => confirm.mutate(undefined)}
      >
        <Damage notices={folder} onLeave={() => setReviewed(null)} />
      </ConfirmDialog>
      <ConfirmDialog
        opened={reviewed === "records"}
        onClose={() => setReviewed(null)}
        title="Some records are damaged"
        keep="Not yet"
        confirm="Close the notice"
        isDestructive={false}
        isPending={false}
        onConfirm={() => {
          close(records);
          setReviewed(null);
        }}
      >
        <DamagedRecords notices={records} onLeave={() => setReviewed(null)} />
      </ConfirmDialog>
    </>
  );
}

interface BarProps {
  /** Shown as one; none where there is none. */
  readonly notices: readonly Notice[];
  /** Opens their details; left out where the bar shows everything. */
  readonly onReview?: () => void;
  readonly onClose: (notices: readonly Notice[]) => void;
}

function Bar({ notices, onReview, onClose }: BarProps) {
  const [first] = notices;
  if (first === undefined) return null;
  const { code, message, details } = first;
  const others = damages.has(code) ? 0 : notices.length - 1;
  return (
    <div className={classes.bar} role="status">
      <IconAlertTriangle size={16} className={classes.icon} aria-hidden />
      <span className={classes.text}>
        {message} {others > 0 ? `And ${formatNumber(others)} more.` : null}
        {details === undefined || onReview !== undefined ? null : <span className={classes.soft}>{details}</span>}
      </span>
      {onReview === undefined ? null : (
        <Button size="xs" onClick={onReview}>
          Review…
        </Button>
      )}
      <CloseButton size="sm" aria-label="Close this notice" onClick={() => onClose(notices)} />
    </div>
  );
}

/** Most notices that are listed: of a damaged disk there may be thousands. */
const mostListed = 20;

/** What is lost with damaged records, and how they are checked and repaired. */
function DamagedRecords({ notices, onLeave }: DetailsProps) {
  return (
    <>
      {notices.slice(0, mostListed).map(({ message, details }) => (
        <p key={message + details} className={classes.record}>
          {message} <span className={classes.soft}>{details}</span>
        </p>
      ))}
      {notices.length > mostListed ? <p>And {formatNumber(notices.length - mostListed)} more.</p> : null}
      <p>All other data is unchanged. The damaged bytes stay where they are until you repair them.</p>
      <p>
        A check lists all damage, and changes nothing. If you have a copy of the data folder, restore the listed files
        from it. A repair moves damaged records to the folder’s quarantine.
      </p>
      <CheckDataButton onLeave={onLeave} />
    </>
  );
}

interface DetailsProps {
  readonly notices: readonly Notice[];
  /** Called when another page is opened. */
  readonly onLeave: () => void;
}

/** Begins a check of the data where it shows, and where it can be repaired and backed up. */
function CheckDataButton({ onLeave }: Pick<DetailsProps, "onLeave">) {
  const { folder } = useApi();
  const navigate = useNavigate();
  // Another task of the folder shows there, too.
  const check = useMutation(folder.check.mutationOptions());
  return (
    <Button
      size="xs"
      className={classes.check}
      onClick={() => {
        check.mutate(undefined);
        onLeave();
        void navigate({ to: "/settings", hash: "data" });
      }}
    >
      Check data in Settings
    </Button>
  );
}

/** What was damaged, what can be done before it is confirmed, and what confirming does. */
function Damage({ notices, onLeave }: DetailsProps) {
  const details = notices.flatMap((notice) => notice.details ?? []);
  return (
    <>
      {notices.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      <p>
        A check lists all damage, and changes nothing. If you have a copy of the data folder, compare it before you
        confirm.
      </p>
      <CheckDataButton onLeave={onLeave} />
      <p>
        All other records are unchanged. Once you confirm, Sheaf continues with the records that it shows now, and
        deletes expired data again. Confirming deletes no answers. The damaged bytes stay in the folder’s quarantine.
        Batches that wait for your decision keep waiting.
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
