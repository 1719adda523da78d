import { Button } from "@mantine/core";
import { formatBytes, formatDuration, formatShare, ProgressBar } from "../../../components/index.ts";
import classes from "./source-card.module.css";
import type { RunningUpload } from "./source-upload.ts";

interface UploadCardProps {
  readonly upload: RunningUpload;
  readonly onCancel: () => void;
}

/** A file on its way in: how far it is, how fast it goes, and a way to stop it. */
export function UploadCard({ upload, onCancel }: UploadCardProps) {
  const { name, phase, bytes, total, rate } = upload;
  const share = total === 0 ? 1 : bytes / total;
  return (
    <div className={classes.card}>
      <div className={classes.text}>
        <div className={classes.name} title={name}>
          {name}
        </div>
        <div className={classes.progress}>
          <ProgressBar label={`Reading ${name}`} share={phase === "reading" ? null : share} />
        </div>
        <div className={classes.about}>
          {phase === "reading" ? (
            "Counting the rows…"
          ) : (
            <>
              {formatBytes(bytes)} of {formatBytes(total)}
              {rate === null
                ? null
                : ` · ${formatBytes(rate)}/s · ${formatDuration(((total - bytes) / rate) * 1000)} left`}
            </>
          )}
        </div>
        <div className={classes.said} role="status">
          {phase === "reading" ? "Counting the rows" : `Reading ${name}: ${formatShare(Math.floor(share * 4) / 4)}`}
        </div>
      </div>
      <Button size="xs" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
