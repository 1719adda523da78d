import { VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconEqualNot, IconHistory, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { explainMisfits, type TrialRow } from "#contract";
import {
  BrokenSchema,
  ColumnPicture,
  formatCost,
  formatCount,
  formatLatency,
  type SentColumns,
  scrollable,
} from "../../../components/index.ts";
import classes from "./trial.module.css";
import {
  measureTracks,
  readSent,
  type ShownTrial,
  type TrialCell,
  type TrialScore,
  type TrialTable,
  type TrialTableRow,
} from "./trial-table.ts";

interface TrialAnswersProps extends Pick<ShownTrial, "name" | "isSelected" | "trial"> {
  readonly table: TrialTable;
  readonly isWide?: boolean;
}

/** The answers of a trial, a row of the table each. A row opens to its whole answers. */
export function TrialAnswers({ name, isSelected, trial, table, isWide }: TrialAnswersProps) {
  const { tracks, minWidth } = measureTracks(table);
  return (
    <div className={classes.scroller} {...scrollable}>
      <table
        className={classes.table}
        aria-label={isSelected ? "Answers of the trial" : `Answers of ${name}`}
        data-wide={isWide || undefined}
        style={{ gridTemplateColumns: tracks, minWidth }}
      >
        <thead>
          <tr>
            <th scope="col">id</th>
            {table.prompts.map(({ path, header }) => (
              <th key={path} scope="col" title={header}>
                {header}
              </th>
            ))}
            {table.hasExpected ? (
              <th scope="col" title={`The column “${trial.source.expected}”`}>
                expected
              </th>
            ) : null}
            {table.fields.length === 0 ? <th scope="col">answer</th> : null}
            {table.fields.map((field) => (
              <th key={field} scope="col" title={field} data-align={alignOf(table, field)}>
                {field}
                {field === table.compared ? <Score score={table.score} cost={null} /> : null}
              </th>
            ))}
            {table.others.map((other) => (
              <th key={other.name} scope="col" title={describeOther(other, table.compared)}>
                {other.name}
                {other.isOutdated ? (
                  <>
                    <IconHistory size={13} className={classes.outdated} aria-hidden />
                    <VisuallyHidden>, its prompt has changed since</VisuallyHidden>
                  </>
                ) : null}
                <Score score={other.score} cost={other.cost} />
              </th>
            ))}
          </tr>
        </thead>
        {table.rows.map((row) => (
          <AnswerRow
            key={row.trial.row}
            row={row}
            table={table}
            sent={{ batchId: trial.batchId, paths: trial.source.pictures ?? [] }}
            name={name}
          />
        ))}
      </table>
    </div>
  );
}

/** How many answers are right, and what they cost. */
function Score({ score, cost }: { readonly score: TrialScore | null; readonly cost: number | null }) {
  const facts = [
    score === null || score.graded === 0 ? null : `${score.right} of ${score.graded} right`,
    cost === null ? null : formatCost(cost),
  ].filter((fact) => fact !== null);
  return facts.length === 0 ? null : <span className={classes.score}>{facts.join(" · ")}</span>;
}

/** What the column of another version has. */
function describeOther({ name, isOutdated }: TrialTable["others"][number], compared: string | null): string {
  const what = compared === null ? "Answer" : `“${compared}”`;
  const when = name === "before" ? "of the trial before this one" : `of the last trial of ${name}`;
  return `${what} ${when}${isOutdated ? ", whose prompt has changed since" : ""}`;
}

interface AnswerRowProps {
  readonly row: TrialTableRow;
  readonly table: TrialTable;
  /** The columns whose pictures it sends. */
  readonly sent: SentColumns;
  /** Of the version that was asked. */
  readonly name: string;
}

function AnswerRow({ row, table, sent, name }: AnswerRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { trial, line, id, prompts, values, others } = row;
  const { customId, state, answer, misfits = [], expected } = trial;
  const fieldCount = Math.max(1, table.fields.length);
  const width = prompts.length + fieldCount + others.length + (table.hasExpected ? 2 : 1);
  const isText = table.fields.length === 0;
  const spanned = { colSpan: fieldCount, style: { gridColumn: `span ${fieldCount}` } };
  const beside = others.flatMap((other, at) =>
    other === null ? [] : [{ ...other, name: table.others[at]?.name ?? "" }],
  );
  return (
    <tbody className={classes.row} data-open={isOpen || undefined}>
      <tr>
        <th scope="row">
          <button type="button" aria-expanded={isOpen} title={customId} onClick={() => setIsOpen(!isOpen)}>
            {id}
          </button>
        </th>
        {table.prompts.map(({ path, isPicture }, at) => (
          <td key={path} className={classes.prompt} title={prompts[at]} dir="auto">
            {isPicture ? (
              <ColumnPicture columns={sent} path={path} line={line} nameOf={(column) => readSent(trial, column)} />
            ) : (
              <span className={classes.words}>{prompts[at]}</span>
            )}
          </td>
        ))}
        {table.hasExpected ? (
          <td className={classes.expected} data-align={alignOf(table, table.compared)} dir="auto">
            {expected}
          </td>
        ) : null}
        {state === "answered" ? (
          values.map((cell, at) => (
            <td
              key={table.fields[at] ?? ""}
              {...(cell.isWhole ? spanned : undefined)}
              data-text={isText || cell.isWhole || undefined}
              data-different={cell.isDifferent || undefined}
              data-misfit={cell.misfit !== null || undefined}
              title={cell.misfit ?? undefined}
              data-align={alignOf(table, table.fields[at])}
              dir="auto"
            >
              {/* A line below says so where it breaks the schema. */}
              {cell.isWhole && misfits.length > 0 ? cell.text : <Value cell={cell} table={table} />}
            </td>
          ))
        ) : (
          <td {...spanned} data-text data-state={state} dir="auto">
            {state === "waiting" ? "…" : answer}
          </td>
        )}
        {others.map((other, at) => (
          <td
            key={table.others[at]?.name}
            className={classes.other}
            data-text={isText || undefined}
            data-different={other?.isDifferent || undefined}
            data-align={other?.isWhole ? undefined : alignOf(table, table.compared)}
            dir="auto"
          >
            {other === null ? null : <Value cell={other} table={table} />}
          </td>
        ))}
      </tr>
      {misfits.length === 0 ? null : (
        <tr>
          <td colSpan={width} className={classes.misfit}>
            <span aria-hidden>
              <BrokenSchema misfits={misfits} />
            </span>{" "}
            {explainMisfits(misfits)}
          </td>
        </tr>
      )}
      {isOpen ? (
        <tr>
          <td colSpan={width} className={classes.whole}>
            <WholeAnswer label={beside.length === 0 ? null : name} text={answer} note={describeMeasures(trial)} />
            {beside.map((other) => (
              <WholeAnswer key={other.name} label={other.name} text={other.answer} note={null} />
            ))}
          </td>
        </tr>
      ) : null}
    </tbody>
  );
}

/** Where the values of a field stand: numbers are compared by their last digits. */
function alignOf({ numeric }: TrialTable, field: string | null | undefined): "end" | undefined {
  return field != null && numeric.has(field) ? "end" : undefined;
}

interface ValueProps {
  readonly cell: TrialCell;
  readonly table: TrialTable;
}

/** A value, with a sign whether it is the expected one, or where it differs, or where its answer lacks the field. */
function Value({ cell: { text, isWhole, isDifferent, isRight }, table: { compared } }: ValueProps) {
  if (!isWhole && !isDifferent && isRight === null) return text;
  const words = isWhole
    ? `No ${compared === null ? "field" : `“${compared}”`} in the answer:`
    : isRight
      ? "As expected:"
      : isRight === false
        ? "Not the expected value:"
        : "Another value:";
  const Sign = isWhole ? IconAlertTriangle : isRight ? IconCheck : isRight === false ? IconX : IconEqualNot;
  return (
    <span title={`${words} ${text}`}>
      <Sign size={13} className={classes.sign} data-right={isRight || undefined} aria-label={words} />
      {text}
    </span>
  );
}

function describeMeasures({ completionTokens, milliseconds, cost }: TrialRow): string {
  return [
    completionTokens === null ? null : formatCount(completionTokens, "token"),
    milliseconds === null ? null : formatLatency(milliseconds),
    cost === null ? null : formatCost(cost),
  ]
    .filter((measure) => measure !== null)
    .join(" · ");
}

function WholeAnswer({ label, text, note }: { label: string | null; text: string; note: ReactNode }) {
  return (
    <div>
      {label === null ? null : <span className={classes.label}>{label}</span>}
      <pre dir="auto">{text}</pre>
      {note === null || note === "" ? null : <span className={classes.label}>{note}</span>}
    </div>
  );
}
