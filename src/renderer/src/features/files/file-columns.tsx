import { VisuallyHidden } from "@mantine/core";
import { IconFileExport, IconFileImport } from "@tabler/icons-react";
import type { FileView } from "#contract";
import { formatBytes, formatCount, RelativeTime, type TableColumn } from "../../components/index.ts";
import classes from "./file-columns.module.css";

export const purposeWords: Readonly<Record<FileView["purpose"], string>> = {
  batch: "Input",
  batch_output: "Results",
  assistants: "Assistants",
  evals: "Evals",
  "fine-tune": "Fine-tuning",
  user_data: "User data",
  vision: "Vision",
};

/** The names of results, which are long, differ at the end: so many characters of it stay. */
const endLength = 13;
const longName = 30;

function FileName({ children: name }: { readonly children: string }) {
  const split = name.length > longName ? name.length - endLength : name.length;
  return (
    <>
      <VisuallyHidden>{name}</VisuallyHidden>
      <span className={classes.whole} dir="auto" title={name} aria-hidden>
        <span className={classes.start}>{name.slice(0, split)}</span>
        <span className={classes.end}>{name.slice(split)}</span>
      </span>
    </>
  );
}

export const columns: readonly TableColumn<FileView>[] = [
  {
    id: "filename",
    header: "Name",
    track: "minmax(180px, 2fr)",
    sortable: true,
    render: ({ filename, faulty }) => (
      <span className={classes.name}>
        <FileName>{filename}</FileName>
        {faulty ? <span className={classes.faulty}>Has errors</span> : null}
      </span>
    ),
  },
  {
    id: "purpose",
    header: "Purpose",
    track: "104px",
    hideBelow: 640,
    render: ({ purpose }) => {
      const Icon = purpose === "batch" ? IconFileImport : IconFileExport;
      return (
        <span className={classes.purpose}>
          <Icon size={15} stroke={1.6} aria-hidden />
          {purposeWords[purpose]}
        </span>
      );
    },
  },
  {
    id: "batches",
    header: "Needed by",
    track: "minmax(120px, 1fr)",
    sortable: true,
    hideBelow: 520,
    render: ({ batches: [first, ...others] }) =>
      first === undefined ? (
        <span className={classes.none}>No batch</span>
      ) : (
        <span className={classes.batch} dir="auto">
          {others.length === 0 ? first.name : formatCount(others.length + 1, "batch", "batches")}
        </span>
      ),
  },
  {
    id: "bytes",
    header: "Size",
    track: "92px",
    align: "end",
    sortable: true,
    render: ({ bytes }) => formatBytes(bytes),
  },
  {
    id: "created",
    header: "Created",
    track: "112px",
    align: "end",
    sortable: true,
    hideBelow: 420,
    render: ({ createdAt }) => <RelativeTime time={createdAt} />,
  },
];
