import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { FileReport } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { ErrorCard, formatBytes, formatCount, formatNumber, IconAction, ProgressBar } from "../../components/index.ts";
import classes from "./upload-list.module.css";
import { type Upload, useUploads } from "./uploads.ts";

/** The uploads of this run of the app: how far they are, and what their check found. */
export function UploadList() {
  const uploads = useUploads((state) => state.uploads);
  if (uploads.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Uploads">
      {uploads.map((upload) => (
        <li key={upload.key} className={classes.item}>
          <Card upload={upload} />
        </li>
      ))}
    </ul>
  );
}

function Card({ upload }: { readonly upload: Upload }) {
  const { key, name, total, state } = upload;
  const dismiss = useUploads((store) => store.dismiss);
  const storeAnyway = useUploads((store) => store.storeAnyway);
  const end = () => dismiss(key);
  switch (state.phase) {
    case "waiting":
      return <Moving name={name} label="Waiting" share={null} onCancel={end} />;
    case "sending":
    case "checking":
      return (
        <Moving
          name={name}
          label={`${state.phase === "sending" ? "Sending" : "Checking"}: ${formatBytes(state.bytes)} of ${formatBytes(total)}`}
          share={total === 0 ? null : state.bytes / total}
          onCancel={end}
        />
      );
    case "storing":
      return <Moving name={name} label="Storing" share={null} onCancel={null} />;
    case "failed":
      return (
        <ErrorCard
          title={`${name} was not uploaded`}
          {...describeError(state.error)}
          actions={
            <Button size="xs" onClick={end}>
              Dismiss
            </Button>
          }
        />
      );
    case "stored":
      return (
        <Line icon={<IconCircleCheck size={18} color="var(--green)" aria-hidden />} onDismiss={end}>
          <strong dir="auto">{name}</strong> is uploaded: {formatCount(state.report.requests, "request")},{" "}
          {state.report.errorCount > 0 ? `${formatCount(state.report.errorCount, "error")} in it` : "no errors"}
        </Line>
      );
    case "faulty":
      return (
        <>
          <Line icon={<IconAlertTriangle size={18} color="var(--orange)" aria-hidden />} onDismiss={null}>
            <strong dir="auto">{name}</strong> is not uploaded yet: {formatCount(state.report.errorCount, "error")} on{" "}
            {formatCount(state.report.faultyLines, "line")} of {formatCount(state.report.requests, "request")}. A batch
            made from it would fail.
          </Line>
          <Problems report={state.report} />
          <div className={classes.actions}>
            <Button size="xs" variant="filled" onClick={end}>
              Leave it
            </Button>
            <Button size="xs" onClick={() => storeAnyway(key)}>
              Upload it as it is
            </Button>
          </div>
        </>
      );
  }
}

interface MovingProps {
  readonly name: string;
  readonly label: string;
  readonly share: number | null;
  readonly onCancel: (() => void) | null;
}

function Moving({ name, label, share, onCancel }: MovingProps) {
  return (
    <div className={classes.moving}>
      <span className={classes.name} dir="auto">
        {name}
      </span>
      <ProgressBar label={`Upload of ${name}`} share={share} text={label} />
      <span className={classes.about} role="status">
        {label}
      </span>
      {onCancel === null ? null : (
        <Button size="xs" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  );
}

interface LineProps {
  readonly icon: ReactNode;
  readonly onDismiss: (() => void) | null;
  readonly children: ReactNode;
}

function Line({ icon, onDismiss, children }: LineProps) {
  return (
    <div className={classes.line}>
      {icon}
      <p role="status">{children}</p>
      {onDismiss === null ? null : <IconAction label="Dismiss" icon={IconX} onClick={onDismiss} />}
    </div>
  );
}

const mostGroups = 8;

function Problems({ report: { groups } }: { readonly report: FileReport }) {
  const left = groups.length - mostGroups;
  return (
    <ul className={classes.problems} aria-label="What is wrong with the file">
      {groups.slice(0, mostGroups).map(({ code, severity, count, first }) => (
        <li key={`${severity} ${code}`}>
          <span className={classes.count}>{formatNumber(count)} ×</span>
          <span dir="auto">
            {first[0]?.line === null || first[0] === undefined ? "" : `Line ${formatNumber(first[0].line)}: `}
            {first[0]?.message}
          </span>
          <code className={classes.code}>{code}</code>
        </li>
      ))}
      {left > 0 ? <li>and {formatCount(left, "more kind")}</li> : null}
    </ul>
  );
}
