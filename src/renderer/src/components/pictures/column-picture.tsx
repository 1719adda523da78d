import classes from "./pictures.module.css";
import { type PicturePlace, Thumbnail } from "./thumbnail.tsx";

/** The columns whose pictures are sent, by their paths, and the batch that sent them. */
export interface SentColumns extends Pick<PicturePlace, "batchId" | "merged"> {
  readonly paths: readonly string[];
}

export interface ColumnPictureProps {
  readonly columns: SentColumns;
  /** One of them. */
  readonly path: string;
  readonly line: number;
  /** Returns what a column of the line has: the names of its pictures, one a line. */
  readonly nameOf: (path: string) => string;
}

/** The picture that a column names; of several the first, and how many others there are. */
export function ColumnPicture({ columns: { paths, ...batch }, path, line, nameOf }: ColumnPictureProps) {
  const [name = "", ...others] = nameOf(path).trim().split("\n");
  if (name === "") return null;
  // An empty cell sends none.
  const place = paths.slice(0, paths.indexOf(path)).filter((one) => nameOf(one).trim() !== "").length;
  return (
    <>
      <Thumbnail {...batch} line={line} place={place} name={name} />
      {others.length === 0 ? null : (
        <span className={classes.others} title={others.join("\n")}>
          +{others.length}
        </span>
      )}
    </>
  );
}
