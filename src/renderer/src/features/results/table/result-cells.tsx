import { IconAlertTriangle, IconCut, IconHourglass, IconPlayerSkipForward } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import { answerEndTable, findFolded, type LineState, type ResultRow } from "#contract";
import { BrokenSchema } from "../../../components/index.ts";
import { splitNumber } from "./measure-columns.ts";
import classes from "./result-columns.module.css";

export const wordsOfState: Readonly<Record<LineState, string>> = {
  waiting: "Waiting",
  answered: "Answered",
  failed: "Failed",
  skipped: "Did not run",
  awaited: "Not there yet",
  damaged: "Damaged on disk",
};

/** A text with what is searched marked, in any case. */
export function MarkedText({ text, find }: { readonly text: string; readonly find: string | undefined }) {
  const hits = find === undefined ? [] : findFolded(text, find);
  if (hits.length === 0) return text;
  const ends = [0, ...hits.map(({ to }) => to)];
  return (
    <>
      {hits.map(({ from, to }, at) => (
        <Fragment key={from}>
          {text.slice(ends[at], from)}
          <mark className={classes.hit}>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}

/**
 * A number as it is written, with its point below those of the others: `room` is how many characters the longest has from
 * its point on. The minus is drawn as one, and copied as the hyphen that it is.
 */
export function NumberText({ written, room }: { readonly written: string; readonly room: number }) {
  const parts = splitNumber(written);
  if (parts === null) return written;
  const { sign, digits, part } = parts;
  return (
    <span className={classes.number} data-rest={".000000".slice(part.length, room)}>
      {sign === "" ? null : <span className={classes.minus}>{sign}</span>}
      {digits}
      {part}
    </span>
  );
}

interface TextProps {
  readonly state?: LineState;
  readonly title?: string;
  /** Why the value breaks the schema that was asked for. */
  readonly misfit?: string | undefined;
  readonly children: ReactNode;
}

export function Text({ state, title, misfit, children }: TextProps) {
  return (
    <span
      className={classes.text}
      data-state={state}
      data-misfit={misfit !== undefined || undefined}
      dir="auto"
      title={misfit === undefined ? title : `${title}\n${misfit}`}
    >
      {children}
    </span>
  );
}

/** A field with another value than the expected one, which stands below it in rows of two lines. */
export function WrongField({ expected, children }: { readonly expected: string; readonly children: ReactNode }) {
  return (
    <span className={classes.wrong}>
      <span className={classes.given}>
        <span className={classes.sign} role="img" aria-label="Wrong:">
          ≠
        </span>
        {children}
      </span>
      {expected === "" ? null : (
        <span className={classes.expected} title={`expected ${expected}`}>
          expected <bdi>{expected}</bdi>
        </span>
      )}
    </span>
  );
}

const shortTitles = {
  empty: "The answer has no text.",
  refused: "The model refused to answer, or a filter withheld the answer.",
} as const;

interface AnswerProps {
  readonly row: ResultRow;
  readonly find: string | undefined;
  /** It is under the name of a field, and has none. */
  readonly lacksFields?: boolean;
}

export function Answer({ row, find, lacksFields = false }: AnswerProps) {
  const text = <MarkedText text={row.answer} find={find} />;
  switch (row.state) {
    case "waiting":
      return <span className={classes.waiting}>Waiting</span>;
    case "skipped":
      return (
        <span className={classes.skipped}>
          <IconPlayerSkipForward size={14} className={classes.icon} aria-hidden />
          <span className={classes.text}>Did not run</span>
        </span>
      );
    case "awaited":
      return (
        <span className={classes.skipped} title={row.answer}>
          <IconHourglass size={14} className={classes.icon} aria-hidden />
          <span className={classes.text}>{wordsOfState.awaited}</span>
        </span>
      );
    case "failed":
    case "damaged":
      return (
        <span className={classes.failed} title={row.answer}>
          <IconAlertTriangle size={14} className={classes.icon} aria-label={`${wordsOfState[row.state]}:`} />
          <Text>{text}</Text>
        </span>
      );
    case "answered":
      return (
        <span className={classes.answer}>
          {row.misfits !== undefined ? (
            <BrokenSchema misfits={row.misfits} />
          ) : lacksFields ? (
            <span className={classes.noFields} title="The answer has no fields, and is shown as it is.">
              <IconAlertTriangle size={14} className={classes.icon} aria-label="No fields:" />
            </span>
          ) : null}
          <Text>{text}</Text>
          {row.end === "cut" ? (
            <span className={classes.cutOff} title="The answer reached the token limit.">
              <IconCut size={13} className={classes.icon} aria-hidden />
              Cut off
            </span>
          ) : row.end === "empty" || row.end === "refused" ? (
            <span className={classes.cutOff} title={shortTitles[row.end]}>
              {answerEndTable[row.end].label}
            </span>
          ) : null}
        </span>
      );
  }
}
