import type { ResultDetail } from "#contract";
import { describeError } from "../../bridge/index.ts";
import {
  AnswerFormChoice,
  AnswerText,
  Boundary,
  CopyButton,
  CountsBadge,
  ErrorCard,
  formatCount,
  formatLatency,
  GradeBadge,
  InspectorBody,
  InspectorHead,
  PendingLine,
  unbrokenProps,
} from "../../components/index.ts";
import { partnerOf } from "./compare-columns.tsx";
import classes from "./compare-inspector.module.css";
import { useComparedLine } from "./compare-queries.ts";
import { useDifference } from "./marked-difference.tsx";

export interface CompareInspectorProps {
  readonly ids: readonly string[];
  /** Of the batches, in their order. */
  readonly names: readonly string[];
  /** Of the first batch. */
  readonly line: number;
  readonly onStep: (by: number) => void;
  readonly onClose: () => void;
}

/** One line with its answers side by side. */
export function CompareInspector({ ids, names, line, onStep, onClose }: CompareInspectorProps) {
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
            <div className={classes.form}>
              <AnswerFormChoice />
            </div>
            <div className={classes.answers}>
              {data.map((detail, place) => (
                <Boundary key={ids[place]} title="The answer could not be shown">
                  <Answer details={data} detail={detail} place={place} name={names[place] ?? ""} />
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
  readonly detail: ResultDetail;
  readonly place: number;
  readonly name: string;
}

function Answer({ details, detail, place, name }: AnswerProps) {
  const { state, answer, grade, verdict, claims, form, milliseconds, completionTokens, finishReason } = detail;
  const { other, side } = partnerOf(
    details.map((one) => ({ state: one.state, text: one.answer })),
    place,
  );
  const difference = useDifference({ text: answer, other, side });
  const facts = [
    completionTokens === null ? null : formatCount(completionTokens, "token"),
    milliseconds === null ? null : formatLatency(milliseconds),
    finishReason === null || finishReason === "stop" ? null : finishReason,
  ].filter((fact) => fact !== null);
  return (
    <section className={classes.answer} data-side={side} aria-label={`Answer of ${name}`} {...unbrokenProps(answer)}>
      <h3 className={classes.label} title={name}>
        <span className={classes.name}>
          <span dir="auto">{name}</span>
        </span>
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
