import { Button, NativeSelect, Popover, SegmentedControl, Switch, VisuallyHidden } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { Fragment } from "react";
import { useStore } from "zustand";
import { csvLayoutSchema, encodings, type Source, type SourceLayout } from "#contract";
import { formatBytes, formatCount, formatDuration, formatShare, ProgressBar } from "../../../components/index.ts";
import { useSession } from "../draft/draft-session.ts";
import { delimiterNames, describeNotes, describeSource, encodingNames } from "./describe-source.ts";
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
  const notes = describeNotes(source);
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

interface LayoutFormProps {
  readonly source: Source;
  readonly onChange: (layout: Partial<SourceLayout>) => void;
}

/** How a file is read, as far as that can be chosen: what was guessed is set. */
function LayoutForm({ source: { kind, csv, encoding, sheet, sheets }, onChange }: LayoutFormProps) {
  return (
    <>
      {sheet === null ? null : (
        <NativeSelect
          size="xs"
          label="Sheet"
          value={sheet}
          data={sheets}
          // Another sheet has columns of its own: whether a row names them is guessed again.
          onChange={({ currentTarget }) => onChange({ sheet: currentTarget.value, csv: null })}
        />
      )}
      {csv === null || kind === "xlsx" ? null : (
        <div>
          <div className={classes.formLabel} id="build-delimiter">
            Columns are separated by
          </div>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-labelledby="build-delimiter"
            value={csv.delimiter}
            data={csvLayoutSchema.shape.delimiter.options.map((value) => ({ value, label: delimiterNames[value] }))}
            onChange={(delimiter) => onChange({ csv: { ...csv, delimiter } })}
          />
        </div>
      )}
      {csv === null ? null : (
        <Switch
          size="sm"
          label="The first row names the columns"
          checked={csv.header}
          onChange={({ currentTarget }) => onChange({ csv: { ...csv, header: currentTarget.checked } })}
        />
      )}
      {encoding === null ? null : (
        <NativeSelect
          size="xs"
          label="Encoding"
          value={encoding}
          data={encodings.map((value) => ({ value, label: encodingNames[value] }))}
          onChange={({ currentTarget }) => {
            const chosen = encodings.find((value) => value === currentTarget.value);
            if (chosen !== undefined) onChange({ encoding: chosen });
          }}
        />
      )}
    </>
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
