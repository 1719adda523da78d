import { answerPrefix, type ComparisonRow, findColumn, resultColumns, sourcePrefix } from "#contract";
import { BrokenSchema, CountsBadge, GradeBadge, leaveOutStart, type TableColumn } from "../../components/index.ts";
import classes from "./compare.module.css";
import { MarkedDifference } from "./marked-difference.tsx";

export interface CompareColumnOptions {
  /** Of the batches, in their order, short. */
  readonly names: readonly string[];
  /** The columns that stand before the answers, by their paths. */
  readonly before: readonly string[];
  /** What is compared. */
  readonly by: string;
  readonly hasGrades: boolean;
  readonly hasVerdicts: boolean;
  /** What all questions begin with: left out, so that their differences are in view. */
  readonly questionStart: string;
}

/** Where a table is narrower, in CSS pixels, the first column of texts is left out; the next one needs more room. */
const [leastWidth, leastText] = [760, 140];

/** A line's custom_id, what was asked and expected, and its answer in each batch next to that of the first. */
export function createCompareColumns({
  names,
  before,
  by,
  hasGrades,
  hasVerdicts,
  questionStart,
}: CompareColumnOptions): readonly TableColumn<ComparisonRow>[] {
  const marks = names.length * 22 + 24;
  return [
    {
      id: "custom_id",
      header: resultColumns.custom_id.header,
      track: "minmax(106px, 0.5fr)",
      render: ({ customId }) => (
        <code className={classes.customId} title={customId}>
          {customId}
        </code>
      ),
    },
    ...before
      .filter((path) => path !== "custom_id")
      .map(
        (path, place): TableColumn<ComparisonRow> => ({
          id: path,
          header: findColumn(path)?.header ?? path.slice(sourcePrefix.length),
          track: "minmax(120px, 1fr)",
          hideBelow: leastWidth + place * leastText,
          render: ({ question, values }) => {
            const text = path === "question" ? question : String(values[path] ?? "");
            return (
              <span className={classes.text} data-soft dir="auto" title={text}>
                {path === "question" ? leaveOutStart(text, questionStart) : text}
              </span>
            );
          },
        }),
      ),
    ...names.map(
      (name, place): TableColumn<ComparisonRow> => ({
        id: `answer ${place}`,
        header: by === "answer" ? name : `${name}: ${by.slice(answerPrefix.length)}`,
        track: "minmax(160px, 1.6fr)",
        render: (row) => <AnswerCell row={row} place={place} />,
      }),
    ),
    ...(hasGrades
      ? [
          {
            id: "grade",
            header: resultColumns.grade.header,
            track: `${Math.max(72, marks)}px`,
            render: ({ cells }: ComparisonRow) => (
              <Marks names={names} marks={cells.map(({ grade }) => grade && <GradeBadge grade={grade} isIcon />)} />
            ),
          },
        ]
      : []),
    ...(hasVerdicts
      ? [
          {
            id: "verdict",
            header: resultColumns.verdict.header,
            track: `${Math.max(78, marks)}px`,
            render: ({ cells }: ComparisonRow) => (
              <Marks
                names={names}
                marks={cells.map((cell) => cell.verdict && <CountsBadge {...cell} verdict={cell.verdict} isIcon />)}
              />
            ),
          },
        ]
      : []),
  ];
}

const wordsOfState = {
  waiting: "Waiting",
  answered: "",
  failed: "Failed",
  skipped: "Never ran",
  awaited: "Not there yet",
  damaged: "",
} as const;

function AnswerCell({ row, place }: { readonly row: ComparisonRow; readonly place: number }) {
  const cell = row.cells[place];
  if (cell === undefined) return null;
  if (cell.state !== "answered") {
    return (
      <span
        className={classes.text}
        data-failed={cell.state === "failed" || cell.state === "damaged" || undefined}
        data-soft
        dir="auto"
        title={cell.text ?? ""}
      >
        {[wordsOfState[cell.state], cell.text].filter((part) => part).join(": ")}
      </span>
    );
  }
  if (cell.text === null) {
    return (
      <span className={classes.text} data-soft>
        {cell.misfits === undefined ? null : <BrokenSchema misfits={cell.misfits} />} Nothing there
      </span>
    );
  }
  const { other, side } = partnerOf(row.cells, place);
  return (
    <span className={classes.text} dir="auto">
      {cell.misfits === undefined ? null : (
        <>
          <BrokenSchema misfits={cell.misfits} />{" "}
        </>
      )}
      <MarkedDifference text={cell.text} other={other} side={side} />
    </span>
  );
}

/** What a text is compared with: of two the other one, of more the first; null where that has no answer. */
export function partnerOf(
  cells: readonly { readonly state: string; readonly text: string | null }[],
  place: number,
): { readonly other: string | null; readonly side: "before" | "after" | "both" } {
  const isPair = cells.length === 2;
  const partner = place > 0 ? cells[0] : isPair ? cells[1] : undefined;
  const other = partner?.state === "answered" ? partner.text : null;
  return { other, side: place === 0 ? "before" : isPair ? "after" : "both" };
}

/** The grade or verdict of each batch, one after the other. */
function Marks({ names, marks }: { readonly names: readonly string[]; readonly marks: readonly React.ReactNode[] }) {
  return (
    <span className={classes.marks}>
      {marks.map((mark, place) => (
        <span key={names[place]} className={classes.mark} title={names[place]}>
          {mark ?? "–"}
        </span>
      ))}
    </span>
  );
}
