import { Button, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { FileReport } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { ErrorCard, formatBytes, formatCount, formatNumber, IconAction, ProgressBar } from "../../components/index.ts";
import classes from "./upload-list.module.css";
import { type Upload, useUploads } from "./uploads.ts";

/** The uploads of this run of the app: how far they are, and what their check found. */
export function UploadList() {
  const uploads = useUploads((state) => state.uploads);
  return (
    <>
      <VisuallyHidden role="status">{useNews(uploads)}</VisuallyHidden>
      {uploads.length === 0 ? null : (
        <ul className={classes.list} aria-label="Uploads">
          {uploads.map((upload) => (
            <li key={upload.key} className={classes.item}>
              <Card upload={upload} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The result of the upload that was last checked: its progress would be too much for screen readers. */
function useNews(uploads: readonly Upload[]): string {
  const told = useRef<ReadonlySet<string>>(new Set());
  const [news, setNews] = useState("");
  useEffect(() => {
    const outcomes = uploads.flatMap((upload) => describeOutcome(upload) ?? []);
    const last = outcomes.findLast((outcome) => !told.current.has(outcome));
    told.current = new Set(outcomes);
    if (last !== undefined) setNews(last);
  }, [uploads]);
  return news;
}

/** In one sentence; null for one that is under way, and for one that failed, which has a card. */
function describeOutcome({ name, state }: Upload): string | null {
  if (state.phase === "stored") {
    const { requests, errorCount } = state.report;
    const errors = errorCount > 0 ? `${formatCount(errorCount, "error")} in it` : "no errors";
    return `${name} is uploaded: ${formatCount(requests, "request")}, ${errors}`;
  }
  if (state.phase !== "faulty") return null;
  const { errorCount, faultyLines, requests, groups } = state.report;
  if (/\.(csv|tsv|json|xlsx|parquet)$/i.test(name)) {
    return `${name} is not uploaded: it is a table, not a batch file. Build makes a request of each of its rows.`;
  }
  const isForeign =
    !/\.(jsonl|ndjson)$/i.test(name) &&
    groups.some(({ code, count }) => code === "invalid_json_line" && count >= requests);
  if (requests === 0 || isForeign) {
    return `${name} is not uploaded: it is not a batch file, which has a request in JSON on each of its lines.`;
  }
  const where = `in ${formatNumber(faultyLines)} of ${formatCount(requests, "line")}`;
  return `${name} is not uploaded yet: ${formatCount(errorCount, "error")} ${where}. A batch made from it would fail.`;
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
          {describeOutcome(upload)}
        </Line>
      );
    case "faulty":
      return (
        <>
          <Line icon={<IconAlertTriangle size={18} color="var(--orange)" aria-hidden />} onDismiss={null}>
            {describeOutcome(upload)}
          </Line>
          <Problems report={state.report} />
          <div className={classes.actions}>
            <Button size="xs" onClick={end}>
              Don’t upload
            </Button>
            <Button size="xs" onClick={() => storeAnyway(key)}>
              Upload anyway
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
      <span className={classes.about}>{label}</span>
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
      <p dir="auto">{children}</p>
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
