import { Button, Chip, NativeSelect, Popover, VisuallyHidden } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { Fragment } from "react";
import { useStore } from "zustand";
import { describeNotes, type Source } from "#contract";
import { formatBytes, formatCount, formatDuration, formatShare, ProgressBar } from "../../../components/index.ts";
import { useSession } from "../draft/draft-session.ts";
import { describeSource } from "./describe-source.ts";
import { LayoutForm } from "./layout-form.tsx";
import classes from "./source.module.css";
import type { RunningUpload } from "./source-upload.ts";

interface SourceCardProps {
  readonly source: Source;
  readonly onChooseFile: () => void;
}

/** The source in short, and what can be changed about it. */
export function SourceCard({ source, onChooseFile }: SourceCardProps) {
  const { layout } = useSession();
  const isReading = useStore(layout.isReading);
  const isGuess = source.notes.doubts.includes("encoding");
  const notes = [...(isGuess ? ["the encoding is a guess"] : []), ...describeNotes(source.notes)];
  return (
    <div className={classes.card}>
      <IconFileText size={18} stroke={1.6} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <div className={classes.name} title={source.name}>
          {source.name}
        </div>
        <div className={classes.about} role="status">
          {isReading ? "Reading it anew…" : <Parts parts={describeSource(source)} />}
        </div>
        {isReading || notes.length === 0 ? null : (
          <div className={classes.note} dir="auto">
            {notes.join("; ")}
          </div>
        )}
      </div>
      <Popover position="bottom-end" width={320} trapFocus returnFocus>
        <Popover.Target>
          <Button size="xs" variant="subtle" aria-label="Change the source">
            Change
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="How the file is read" className={classes.layoutForm}>
          <LayoutForm source={source} onChange={(chosen) => layout.set(source, chosen)} />
          <Button size="xs" fullWidth onClick={onChooseFile}>
            Choose another file
          </Button>
        </Popover.Dropdown>
      </Popover>
      {/* Another sheet has columns of its own: which row names them is guessed again. */}
      <SheetList source={source} onChoose={(sheet) => layout.set(source, { sheet, csv: null })} />
    </div>
  );
}

/** The parts in one line, which breaks between them only. */
function Parts({ parts }: { readonly parts: readonly string[] }) {
  return parts.map((part) => (
    <Fragment key={part}>
      <span>
        {part}
        {part === parts.at(-1) ? null : ","}
      </span>{" "}
    </Fragment>
  ));
}

/** From so many sheets on, one is chosen from a list that opens. */
const shownSheets = 8;

interface SheetListProps {
  readonly source: Source;
  readonly onChoose: (sheet: string) => void;
}

/** The sheets of a workbook that has several: the one that is read is marked, and another one can be. */
function SheetList({ source: { sheet, sheets }, onChoose }: SheetListProps) {
  if (sheet === null || sheets.length < 2) return null;
  if (sheets.length > shownSheets) {
    return (
      <NativeSelect
        size="xs"
        className={classes.sheets}
        aria-label={`Sheet, one of ${sheets.length}`}
        value={sheet}
        data={sheets}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      />
    );
  }
  return (
    <Chip.Group value={sheet} onChange={onChoose}>
      <div className={classes.sheets} role="radiogroup" aria-label="Sheet">
        {sheets.map((name) => (
          <Chip key={name} value={name} size="xs" radius="xl" variant="light" classNames={{ label: classes.sheet }}>
            <bdi>{name}</bdi>
          </Chip>
        ))}
      </div>
    </Chip.Group>
  );
}

interface UploadCardProps {
  readonly upload: RunningUpload;
  readonly onCancel: () => void;
}

/** A file on its way in: how far it is, how fast it goes, and a way to stop it. */
export function UploadCard({ upload, onCancel }: UploadCardProps) {
  const { name, phase, bytes, total, rows, rate } = upload;
  const isCounting = phase === "reading";
  // What it takes to find out how a file is encoded comes before the first row, and its length is not known.
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
        <VisuallyHidden role="status">
          {isCounting ? "Counting the rows" : `Reading ${name}`}
          {share === null ? null : `: ${formatShare(Math.floor(share * 4) / 4)}`}
        </VisuallyHidden>
      </div>
      <Button size="xs" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
