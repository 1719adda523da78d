import { Autocomplete, Button } from "@mantine/core";
import { IconHelpCircle, IconHourglass, IconInfoCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { BatchView } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { formatBytes, formatClock, formatCount, formatNumber } from "../../../components/index.ts";
import { useDiskFailure } from "../../../queries/disk.ts";
import { canCancel, isUnderWay } from "../describe-batch.ts";
import classes from "./connection-notice.module.css";

/** Where a batch is at a service elsewhere, in that service's own word: `60 done, in 3 parts, in_progress`; null when it is not there. */
export function describeRemote({ remote, status }: Pick<BatchView, "remote" | "status">): string | null {
  if (remote === null || !isUnderWay(status)) return null;
  const words = [
    remote.done === null ? null : `${formatNumber(remote.done)} done`,
    remote.parts > 1 ? `in ${formatCount(remote.parts, "part")}` : null,
    remote.rawStatus,
    remote.uploaded && `${formatBytes(remote.uploaded.bytes)} of ${formatBytes(remote.uploaded.total)} uploaded`,
  ].filter((word) => word !== null);
  return words.length === 0 ? null : `at the service: ${words.join(", ")}`;
}

interface ConnectionNoticeProps {
  readonly batch: BatchView;
  readonly onCancel: () => void;
}

/** Why nothing moves, and what can be done where its connection is why; or what is worth knowing of its run there. */
export function ConnectionNotice({ batch, onCancel }: ConnectionNoticeProps) {
  const { connections } = useApi();
  const navigate = useNavigate();
  const retry = useMutation(connections.retry.mutationOptions());
  const diskFailure = useDiskFailure();
  const { connection, waiting, notice, status } = batch;
  const isOpen = isUnderWay(status);
  // The bar at the top says it already, and a connection can do nothing about it.
  if (waiting !== null && isOpen && waiting === diskFailure) {
    return (
      <div className={classes.notice} data-waiting role="status">
        <IconHourglass size={16} aria-hidden />
        <span>
          <strong>Waiting for the disk.</strong> It goes on by itself.
        </span>
      </div>
    );
  }
  if (batch.unclear && isOpen) return <UnclearNotice {...{ batch, onCancel }} />;
  if (waiting !== null && isOpen && connection === null) {
    return (
      <div className={classes.notice} data-waiting role="status">
        <IconHourglass size={16} aria-hidden />
        <span>
          <strong>Waiting.</strong> {waiting}
        </span>
      </div>
    );
  }
  if (connection !== null && batch.inDoubt !== null) {
    const { candidates } = batch.inDoubt;
    return <DoubtNotice key={candidates.map(({ id }) => id).join()} {...{ batch, candidates, connection, onCancel }} />;
  }
  if (connection !== null && batch.endWaitsFor !== null) return <EndNotice {...{ batch, onCancel }} />;
  if (connection !== null && batch.counts.awaited > 0) return <AwaitedNotice batch={batch} />;
  if (connection === null || waiting === null || !isOpen) {
    return notice === null ? null : (
      <div className={classes.notice} role="status">
        <IconInfoCircle size={16} aria-hidden />
        <span>{notice}</span>
      </div>
    );
  }
  return (
    <div className={classes.notice} data-waiting role="status">
      <IconHourglass size={16} aria-hidden />
      <span>
        <strong>Waiting.</strong> {waiting}
      </span>
      <div className={classes.actions}>
        <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate({ id: connection.id })}>
          Try again now
        </Button>
        <Button size="xs" variant="subtle" onClick={() => void navigate({ to: "/settings" })}>
          Open settings
        </Button>
      </div>
    </div>
  );
}

/** A batch whose end waits for results, or for its user's word that it has ended. */
function EndNotice({ batch, onCancel }: ConnectionNoticeProps) {
  const stopping = useMutation(useApi().batches.stopWaiting.mutationOptions());
  return (
    <div className={classes.notice} data-waiting role="status">
      {batch.endWaitsFor === "state" ? (
        <IconHelpCircle size={16} aria-hidden />
      ) : (
        <IconHourglass size={16} aria-hidden />
      )}
      <span>
        {batch.endWaitsFor === "state" ? <strong>Has it ended? </strong> : null}
        {batch.waiting ?? "Waiting for results that the service counted as done."}
        {stopping.error ? ` ${describeError(stopping.error).message}` : null}
      </span>
      {batch.isReadOnly ? null : (
        <div className={classes.actions}>
          <Button size="xs" loading={stopping.isPending} onClick={() => stopping.mutate({ id: batch.id })}>
            Stop waiting
          </Button>
          {canCancel(batch) ? (
            <Button size="xs" variant="subtle" onClick={onCancel}>
              Cancel
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
}

/** An ended batch without some of its results, which can still come. */
function AwaitedNotice({ batch }: Pick<ConnectionNoticeProps, "batch">) {
  const fetching = useMutation(useApi().batches.fetchAgain.mutationOptions());
  const { counts, connection, notice, readUntil } = batch;
  const isReadByItself = readUntil !== null && readUntil > Date.now() && !batch.isReadOnly;
  return (
    <div className={classes.notice} data-waiting role="status">
      <IconHourglass size={16} aria-hidden />
      <span>
        <strong>{formatCount(counts.awaited, "result")} not there yet.</strong> {connection?.name} counted{" "}
        {counts.awaited === 1 ? "this line" : "these lines"} as done, so you may have paid for{" "}
        {counts.awaited === 1 ? "it" : "them"}.
        {isReadByItself ? ` Sheaf fetches every hour until ${date.format(readUntil)}.` : null}
        {notice === null ? null : ` ${notice}`}
        {fetching.error ? ` ${describeError(fetching.error).message}` : null}
      </span>
      {batch.isReadOnly ? null : (
        <div className={classes.actions}>
          <Button size="xs" loading={fetching.isPending} onClick={() => fetching.mutate({ id: batch.id })}>
            Fetch again
          </Button>
        </div>
      )}
    </div>
  );
}

const date = new Intl.DateTimeFormat("en", { day: "numeric", month: "long" });

/** Asks whether an unclear batch continues: the damaged data folder may have lost what was already paid for. */
function UnclearNotice({ batch, onCancel }: ConnectionNoticeProps) {
  const resuming = useMutation(useApi().batches.resume.mutationOptions());
  return (
    <div className={classes.notice} data-waiting role="status">
      <IconHelpCircle size={16} aria-hidden />
      <span>
        <strong>Go on?</strong> {batch.waiting}
        {resuming.error ? ` ${describeError(resuming.error).message}` : null}
      </span>
      <div className={classes.actions}>
        <Button size="xs" loading={resuming.isPending} onClick={() => resuming.mutate({ id: batch.id })}>
          Ask the rest
        </Button>
        <Button size="xs" variant="subtle" onClick={onCancel}>
          End it
        </Button>
      </div>
    </div>
  );
}

interface DoubtNoticeProps extends ConnectionNoticeProps {
  readonly candidates: NonNullable<BatchView["inDoubt"]>["candidates"];
  readonly connection: NonNullable<BatchView["connection"]>;
}

/** Asks whether a create that got no answer made a batch: sending it again might pay twice. */
function DoubtNotice({ batch, candidates, connection, onCancel }: DoubtNoticeProps) {
  const { batches } = useApi();
  const settling = useMutation(batches.settleCreate.mutationOptions());
  const [batchId, setBatchId] = useState(candidates.length === 1 ? (candidates[0]?.id ?? "") : "");
  const settle = (choice: Parameters<typeof settling.mutate>[0]["choice"]) => settling.mutate({ id: batch.id, choice });
  const about = new Map(candidates.map((candidate) => [candidate.id, describeCandidate(candidate)]));
  return (
    <div className={classes.notice} data-waiting role="status">
      <IconHelpCircle size={16} aria-hidden />
      <span>
        <strong>{connection.name} may have this batch.</strong> The answer to its creation was lost, and looking for it
        found {candidates.length === 0 ? "none" : "none for sure"}. If it is there, sending it again pays twice.
        {settling.error ? ` ${describeError(settling.error).message}` : null}
      </span>
      <div className={classes.actions}>
        <Button size="xs" loading={settling.isPending} onClick={() => settle({ kind: "send_again" })}>
          Send again
        </Button>
        <Autocomplete
          size="xs"
          w={230}
          aria-label="The batch’s id at the service"
          placeholder="Its id there"
          data={[...about.keys()]}
          filter={({ options }) => options}
          renderOption={({ option }) => `${option.value}${about.get(option.value)}`}
          value={batchId}
          onChange={setBatchId}
        />
        <Button
          size="xs"
          disabled={batchId.trim() === "" || settling.isPending}
          onClick={() => settle({ kind: "use", batchId: batchId.trim() })}
        >
          It is this one
        </Button>
        <Button size="xs" variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** `, 240 lines, 14:32:05`: what the service reports of a batch. */
function describeCandidate({ lines, createdAt }: DoubtNoticeProps["candidates"][number]): string {
  return `${lines === null ? "" : `, ${formatCount(lines, "line")}`}${createdAt === null ? "" : `, ${formatClock(createdAt)}`}`;
}
