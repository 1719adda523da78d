import { Button, Popover, SegmentedControl, Switch } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { Fragment } from "react";
import { type CsvLayout, csvLayoutSchema, type Source } from "#contract";
import { delimiterNames, describeSource } from "./describe-source.ts";
import classes from "./source-card.module.css";
import { useLayout } from "./use-source.ts";

interface SourceCardProps {
  readonly source: Source;
  readonly onChooseFile: () => void;
}

/** The source in short, and what can be changed about it. */
export function SourceCard({ source, onChooseFile }: SourceCardProps) {
  const { isReading, setLayout } = useLayout(source);
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
      </div>
      {source.csv === null ? (
        <Button size="xs" variant="subtle" onClick={onChooseFile} aria-label="Change the source">
          Change
        </Button>
      ) : (
        <Popover position="bottom-end" width={300} trapFocus returnFocus>
          <Popover.Target>
            <Button size="xs" variant="subtle" aria-label="Change the source">
              Change
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label="How the table is read">
            <LayoutForm layout={source.csv} onChange={setLayout} />
            <Button size="xs" fullWidth mt="md" onClick={onChooseFile}>
              Choose another file
            </Button>
          </Popover.Dropdown>
        </Popover>
      )}
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
  readonly layout: CsvLayout;
  readonly onChange: (layout: CsvLayout) => void;
}

function LayoutForm({ layout, onChange }: LayoutFormProps) {
  return (
    <>
      <div className={classes.label} id="build-delimiter">
        Columns are separated by
      </div>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby="build-delimiter"
        value={layout.delimiter}
        data={csvLayoutSchema.shape.delimiter.options.map((value) => ({ value, label: delimiterNames[value] }))}
        onChange={(delimiter) => onChange({ ...layout, delimiter })}
      />
      <Switch
        mt="sm"
        size="sm"
        label="The first row names the columns"
        checked={layout.header}
        onChange={({ currentTarget }) => onChange({ ...layout, header: currentTarget.checked })}
      />
    </>
  );
}
