import { answerPrefix, type ComparisonRow, findColumn, pictureColumn, resultColumns, sourcePrefix } from "#contract";
import {
  BrokenSchema,
  ColumnPicture,
  CountsBadge,
  CutName,
  formatNumber,
  GradeBadge,
  leaveOutStart,
  letterOf,
  type SentColumns,
  SideLetter,
  type TableColumn,
} from "../../components/index.ts";
import classes from "./compare.module.css";
import { MarkedDifference } from "./marked-difference.tsx";

export interface CompareColumnOptions {
  /** Of the batches, in their order, short. */
  readonly names: readonly string[];
  /** The place of the batch that the others are held against. */
  readonly baseline: number;
  /** The columns that stand before the answers, by their paths. */
  readonly before: readonly string[];
  /** The column with the expected answers; null where there is none. */
  readonly expected: string | null;
  /** The columns whose pictures are sent, and the batch that sent them. */
  readonly pictures?: SentColumns | null;
  /** What is compared. */
  readonly by: string;
  /** What all questions begin with: left out, so that their differences are in view. */
  readonly questionStart: string;
}

/** Where a table is narrower, in CSS pixels, the first column of texts is left out; the next one needs more room. */
const [leastWidth, leastText] = [760, 140];

/** A line's number and custom_id, what was asked and expected, and its answer in each batch, the baseline's first. */
export function createCompareColumns(options: CompareColumnOptions): readonly TableColumn<ComparisonRow>[] {
  const { names, baseline, before, expected, pictures = null, by, questionStart } = options;
  const expectedPath = expected === null ? null : `${sourcePrefix}${expected}`;
  return [
    {
      id: "custom_id",
      header: "Line",
      hint: resultColumns.custom_id.header,
      track: "minmax(84px, 0.4fr)",
      render: ({ line, customId }) => (
        <span className={classes.line}>
          {formatNumber(line)}
          <code title={customId}>{customId}</code>
        </span>
      ),
    },
    ...before
      .filter((path) => path !== "custom_id" && path !== expectedPath)
      .map(
        (path, place): TableColumn<ComparisonRow> => ({
          id: path,
          header: findColumn(path)?.header ?? path.slice(sourcePrefix.length),
          track: "minmax(120px, 1fr)",
          hideBelow: leastWidth + place * leastText,
          render: ({ line, question, picture = "", values }) => {
            const columns = pictures?.paths.includes(path) ? pictures : null;
            if (columns !== null) {
              const nameOf = (column: string) => (column === pictureColumn ? picture : String(values[column] ?? ""));
              return <ColumnPicture columns={columns} path={path} line={line} nameOf={nameOf} />;
            }
            const text = path === "question" ? question : String(values[path] ?? "");
            return (
              <span className={classes.text} data-soft dir="auto" title={text}>
                {path === "question" ? leaveOutStart(text, questionStart) : text}
              </span>
            );
          },
        }),
      ),
    ...(expectedPath === null
      ? []
      : [
          {
            id: "expected",
            header: "Expected",
            hint: expectedPath.slice(sourcePrefix.length),
            track: "minmax(96px, 0.8fr)",
            render: ({ values }: ComparisonRow) => (
              <span className={classes.text} dir="auto" title={String(values[expectedPath] ?? "")}>
                {values[expectedPath] ?? ""}
              </span>
            ),
          },
        ]),
    ...baselineFirst(names, baseline).map(
      (place): TableColumn<ComparisonRow> => ({
        id: `answer ${place}`,
        header: `${letterOf(place)} ${names[place]}${by === "answer" ? "" : `: ${by.slice(answerPrefix.length)}`}`,
        head: (
          <span className={classes.sideHead}>
            <SideLetter side={place} isMarked={place === baseline} />
            <CutName name={names[place] ?? ""} />
            {place === baseline ? <small>baseline</small> : null}
          </span>
        ),
        track: "minmax(130px, 1.5fr)",
        render: (row) => <AnswerCell row={row} place={place} baseline={baseline} />,
      }),
    ),
  ];
}

/** The places of batches: the baseline's, then the others in their order. */
export function baselineFirst(batches: readonly unknown[], baseline: number): number[] {
  return [baseline, ...[...batches.keys()].filter((place) => place !== baseline)];
}

const wordsOfState = {
  waiting: "Waiting",
  answered: "",
  failed: "Failed",
  skipped: "Never ran",
  awaited: "Not there yet",
  damaged: "",
} as const;

interface AnswerCellProps {
  readonly row: ComparisonRow;
  readonly place: number;
  readonly baseline: number;
}

/** The signs of grade and verdict, then the answer, or why there is none. */
function AnswerCell({ row, place, baseline }: AnswerCellProps) {
  const cell = row.cells[place];
  if (cell === undefined) return null;
  const { grade, verdict, state, text, misfits } = cell;
  return (
    <span className={classes.answer} data-side={letterOf(place)}>
      {grade === null || state !== "answered" ? null : <GradeBadge grade={grade} isIcon />}
      {misfits === undefined ? null : <BrokenSchema misfits={misfits} />}
      {verdict === null ? null : <CountsBadge {...cell} verdict={verdict} isIcon />}
      {state === "answered" ? (
        <span className={classes.text} data-soft={text === null || undefined} dir="auto">
          {text === null ? "Nothing there" : <MarkedDifference text={text} base={baseOf(row.cells, place, baseline)} />}
        </span>
      ) : (
        <span className={classes.text} data-soft data-state={state} dir="auto" title={text ?? ""}>
          {wordsOfState[state] === "" ? null : <b>{wordsOfState[state]}</b>} {text}
        </span>
      )}
    </span>
  );
}

/** The text of the baseline that an answer is held against; null for the baseline itself, and where it has no answer. */
export function baseOf(
  cells: readonly { readonly state: string; readonly text: string | null }[],
  place: number,
  baseline: number,
): string | null {
  const base = cells[baseline];
  return place === baseline || base?.state !== "answered" ? null : base.text;
}
