import { Button } from "@mantine/core";
import { IconHourglass, IconInfoCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { BatchView } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { formatBytes, formatCount } from "../../../components/index.ts";
import { isUnderWay } from "../describe-batch.ts";
import classes from "./connection-notice.module.css";

/** Where a batch is at a service elsewhere, in that service's own word: `in 3 parts, in_progress`; null when it is not there. */
export function describeRemote({ remote, status }: Pick<BatchView, "remote" | "status">): string | null {
  if (remote === null || !isUnderWay(status)) return null;
  const words = [
    remote.parts > 1 ? `in ${formatCount(remote.parts, "part")}` : null,
    remote.rawStatus,
    remote.uploaded && `${formatBytes(remote.uploaded.bytes)} of ${formatBytes(remote.uploaded.total)} uploaded`,
  ].filter((word) => word !== null);
  return words.length === 0 ? null : `at the service: ${words.join(", ")}`;
}

/** Why nothing moves at a batch's connection, and what can be done; or what is worth knowing of its run there. */
export function ConnectionNotice({ batch }: { readonly batch: BatchView }) {
  const { connections } = useApi();
  const navigate = useNavigate();
  const retry = useMutation(connections.retry.mutationOptions());
  const { connection, waiting, notice, status } = batch;
  if (connection === null) return null;
  if (waiting === null || !isUnderWay(status)) {
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
