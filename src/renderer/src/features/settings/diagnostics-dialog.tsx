import { Modal, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { describeError, useApi } from "../../bridge/index.ts";
import { CopyButton, ErrorCard, scrollable } from "../../components/index.ts";
import classes from "./about.module.css";
import { formatDiagnostics } from "./format-diagnostics.ts";

interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Shows the diagnostics as they are now, word for word as they would be copied. */
export function DiagnosticsDialog({ opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Diagnostics" size={560}>
      <ShownDiagnostics />
    </Modal>
  );
}

function ShownDiagnostics() {
  const { app } = useApi();
  const { data, error, refetch } = useQuery(app.diagnostics.queryOptions({ staleTime: 0, gcTime: 0 }));
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={320} radius={8} animate={false} />
    ) : (
      <ErrorCard title="They could not be read" {...describeError(error)} onRetry={() => void refetch()} />
    );
  }
  const text = formatDiagnostics(data);
  return (
    <div className={classes.dialog}>
      <p className={classes.lead}>
        This is all that is copied: versions, counts and settings. No names, addresses, paths, texts or keys are in it,
        and nothing is sent.
      </p>
      <pre className={classes.text} {...scrollable}>
        {text}
      </pre>
      <div className={classes.actions}>
        <CopyButton value={text} label="Copy" />
      </div>
    </div>
  );
}
