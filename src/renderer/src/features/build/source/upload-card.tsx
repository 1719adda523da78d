import { Button } from "@mantine/core";
import { formatBytes, formatCount, formatDuration, formatShare, ProgressBar } from "../../../components/index.ts";
import classes from "./source-card.module.css";
import type { RunningUpload } from "./source-upload.ts";

interface UploadCardProps {
  readonly upload: RunningUpload;
  readonly onCancel: () => void;
}

/** A file on its way in: how far it is, how fast it goes, and a way to stop it. */
export function UploadCard({ upload, onCancel }: UploadCardProps) {
  const { name, phase, bytes, total, rows, rate } = upload;
  const isCounting = phase === "reading";
  // What it takes to find out how a file is encoded comes before the first row, and can't be told.
  const share = isCounting && bytes === 0 ? null : total === 0 ? 1 : bytes / total;
  const timeLeft = rate === null || rate === 0 ? null : ((total - bytes) / rate) * 1000;
  return (
    <div className={classes.card}>
      <div className={classes.text}>
        <div className={classes.name} title={name}>
          {name}
        </div>
        <div className={classes.progress}>
          <ProgressBar label={isCounting ? `Counting the rows of ${name}` : `Reading ${name}`} share={share} />
        </div>
        <div className={classes.about}>
          {share === null
            ? "Counting the rows…"
            : [
                isCounting ? `${formatCount(rows, "row")} counted` : `${formatBytes(bytes)} of ${formatBytes(total)}`,
                rate === null || isCounting ? null : `${formatBytes(rate)}/s`,
                timeLeft === null ? null : `${formatDuration(timeLeft)} left`,
              ]
                .filter((part) => part !== null)
                .join(" · ")}
        </div>
        <div className={classes.said} role="status">
          {isCounting ? "Counting the rows" : `Reading ${name}`}
          {share === null ? null : `: ${formatShare(Math.floor(share * 4) / 4)}`}
        </div>
      </div>
      <Button size="xs" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
