import type { ResultDetail } from "#contract";
import { describeError } from "../../bridge/index.ts";
import {
  AnswerFormChoice,
  AnswerText,
  Boundary,
  CopyButton,
  CountsBadge,
  CutName,
  ErrorCard,
  formatCount,
  formatLatency,
  GradeBadge,
  InspectorBody,
  InspectorHead,
  letterOf,
  listPictures,
  PendingLine,
  SentPicture,
  SideLetter,
  unbrokenProps,
} from "../../components/index.ts";
import { baselineFirst, baseOf } from "./compare-columns.tsx";
import classes from "./compare-inspector.module.css";
import { useComparedLine } from "./compare-queries.ts";
import { useDifference } from "./marked-difference.tsx";

export interface CompareInspectorProps {
  readonly ids: readonly string[];
  /** Of the batches, in their order. */
  readonly names: readonly string[];
  /** The place of the batch that the others are held against. */
  readonly baseline: number;
  /** Of the first batch. */
  readonly line: number;
  readonly onStep: (by: number) => void;
  readonly onClose: () => void;
}

/** One line with its answers side by side. */
export function CompareInspector({ ids, names, baseline, line, onStep, onClose }: CompareInspectorProps) {
  const { data, error, refetch, isPlaceholderData } = useComparedLine(ids, line);
  const [first] = data ?? [];
  return (
    <>
      <InspectorHead
        of="Line"
        title={<code title={first?.customId}>{first?.customId ?? `Line ${line}`}</code>}
        onPrevious={() => onStep(-1)}
        onNext={() => onStep(1)}
        onClose={onClose}
      />
      <InspectorBody isOld={isPlaceholderData}>
        {error ? (
          <ErrorCard title="The line could not be read" {...describeError(error)} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <PendingLine />
        ) : (
          <>
            <h3 className={classes.label}>Question</h3>
            <p className={classes.text} dir="auto" {...unbrokenProps(first?.question ?? "")}>
              {first?.question}
            </p>
            {first === undefined
              ? null
              : listPictures(first.picture).map(({ place, name }) => (
                  <SentPicture key={place} batchId={ids[0] ?? ""} line={first.line} place={place} name={name} />
                ))}
            <div className={classes.form}>
              <AnswerFormChoice />
            </div>
            <div className={classes.answers}>
              {baselineFirst(data, baseline).map((place) => (
                <Boundary key={ids[place]} title="The answer could not be shown">
                  <Answer details={data} place={place} baseline={baseline} name={names[place] ?? ""} />
                </Boundary>
              ))}
            </div>
          </>
        )}
      </InspectorBody>
    </>
  );
}

interface AnswerProps {
  readonly details: readonly ResultDetail[];
  readonly place: number;
  readonly baseline: number;
  readonly name: string;
}

function Answer({ details, place, baseline, name }: AnswerProps) {
  const detail = details[place];
  const base = baseOf(
    details.map((one) => ({ state: one.state, text: one.answer })),
    place,
    baseline,
  );
  const difference = useDifference({ text: detail?.answer ?? "", base });
  if (detail === undefined) return null;
  const { state, answer, grade, verdict, claims, form, milliseconds, completionTokens, finishReason } = detail;
  const facts = [
    completionTokens === null ? null : formatCount(completionTokens, "token"),
    milliseconds === null ? null : formatLatency(milliseconds),
    finishReason === null || finishReason === "stop" ? null : finishReason,
  ].filter((fact) => fact !== null);
  return (
    <section
      className={classes.answer}
      data-side={letterOf(place)}
      aria-label={`Answer of ${name}`}
      {...unbrokenProps(answer)}
    >
      <h3 className={classes.label} title={name}>
        <SideLetter side={place} isMarked={place === baseline} />
        <CutName name={name} />
        {state === "answered" ? <CopyButton compact label="Copy the answer" value={answer} /> : null}
      </h3>
      {state === "answered" ? (
        <AnswerText text={answer} {...(difference && { difference })} />
      ) : (
        <p className={classes.failed} dir="auto">
          {answer === "" ? "There is no answer." : answer}
        </p>
      )}
      <div className={classes.facts}>
        {grade === null ? null : <GradeBadge grade={grade} />}
        {verdict === null ? null : <CountsBadge verdict={verdict} claims={claims} form={form} />}
        {facts.join(" · ")}
      </div>
    </section>
  );
}
