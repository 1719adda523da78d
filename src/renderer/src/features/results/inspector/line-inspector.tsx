import { SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ResultFilter, Verdict } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import {
  CopyButton,
  ErrorCard,
  FindSteps,
  formatNumber,
  InspectorBody,
  InspectorHead,
  JsonView,
  PendingLine,
  useFind,
} from "../../../components/index.ts";
import { LineGrade } from "../grading/line-grade.tsx";
import { LineClaims } from "../verification/line-claims.tsx";
import { LineConversation, type LineConversationProps } from "./line-conversation.tsx";
import classes from "./line-inspector.module.css";
import { LineVerdict } from "./line-verdict.tsx";

export interface LineInspectorProps {
  readonly batchId: string;
  /** From 1. */
  readonly line: number;
  /** What the lines are filtered by: the inspector opens on what that is about. */
  readonly filter: ResultFilter;
  /** What is searched in the lines: it is marked. */
  readonly find: string | undefined;
  /** Whether it comes with the newest answer of the batch and its retries. */
  readonly merged: boolean;
  /** Open the line before and the one after; null where there is none. */
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
  readonly onClose: () => void;
}

const views = [
  { value: "conversation", label: "Conversation" },
  { value: "verdict", label: "Verdict" },
  { value: "grade", label: "Grade" },
  { value: "request", label: "Request" },
  { value: "response", label: "Response" },
] as const;
type View = (typeof views)[number]["value"];

/** One line in full: the conversation, its figures, and both lines of JSON as they are in the files. */
export function LineInspector(props: LineInspectorProps) {
  const { batchId, line, filter, find, merged, onPrevious, onNext, onClose } = props;
  const api = useApi();
  const opensOn =
    filter.verdicts !== undefined || filter.kinds !== undefined
      ? "verdict"
      : filter.grades !== undefined
        ? "grade"
        : "conversation";
  // A choice holds until the filter is another one.
  const [chosen, setChosen] = useState<{ readonly view: View; readonly opensOn: View } | null>(null);
  const wanted = chosen?.opensOn === opensOn ? chosen.view : opensOn;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    api.results.line.queryOptions({
      input: { batchId, line, ...(merged && { merged }) },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
      placeholderData: keepPreviousData,
    }),
  );
  const [isStartOpen, setStartOpen] = useState(false);
  const has = (view: View) =>
    view === "verdict" ? (data?.verdict ?? null) !== null : view === "grade" ? (data?.grade ?? null) !== null : true;
  const view = has(wanted) ? wanted : "conversation";
  const body = useRef<HTMLDivElement>(null);
  const found = useFind(body, find, `${batchId} ${line} ${view} ${merged}`);

  return (
    <>
      <InspectorHead
        of="Line"
        title={`Line ${formatNumber(line)}`}
        {...(data && !isPlaceholderData && { id: { value: data.customId, copy: "Copy the custom_id" } })}
        onPrevious={onPrevious}
        onNext={onNext}
        onClose={onClose}
      >
        {data === undefined ? null : <LineVerdict detail={data} />}
        <SegmentedControl
          fullWidth
          size="xs"
          data={views.filter(({ value }) => has(value))}
          value={view}
          onChange={(value) =>
            setChosen({ view: views.find((one) => one.value === value)?.value ?? "conversation", opensOn })
          }
          aria-label="What to see of the line"
        />
        {find === undefined ? null : <FindSteps find={found} text={find} within="this line" />}
      </InspectorHead>
      <InspectorBody ref={body} isOld={isPlaceholderData} isSplit={view === "verdict"}>
        {error ? (
          <ErrorCard title="The line could not be read" {...describeError(error)} onRetry={() => void refetch()} />
        ) : data ? (
          <Body
            detail={data}
            of={{ batchId, merged }}
            view={view}
            verdict={filter.verdicts?.[0] ?? null}
            isStartOpen={isStartOpen || find !== undefined}
            onStartOpen={setStartOpen}
          />
        ) : (
          <PendingLine />
        )}
      </InspectorBody>
    </>
  );
}

interface BodyProps extends LineConversationProps {
  readonly of: { readonly batchId: string; readonly merged: boolean };
  readonly view: View;
  /** The verdict that the lines are filtered by. */
  readonly verdict: Verdict | null;
}

function Body({ view, verdict, ...conversation }: BodyProps) {
  const { detail } = conversation;
  const { batchId, line } = detail.asked;
  switch (view) {
    case "conversation":
      return <LineConversation {...conversation} />;
    case "verdict":
      return <LineClaims key={`${batchId} ${line} ${verdict}`} batchId={batchId} line={line} verdict={verdict} />;
    case "grade":
      return detail.grade === null ? null : <LineGrade batchId={batchId} line={line} grade={detail.grade} />;
    case "request":
      return <Raw text={detail.rawRequest} label="Request" />;
    case "response":
      return detail.rawResponse === null ? (
        <p className={classes.none}>There is no response yet.</p>
      ) : (
        <Raw text={detail.rawResponse} label="Response" />
      );
  }
}

function Raw({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <>
      <div className={classes.rawHead}>
        <CopyButton label="Copy line" value={text} />
      </div>
      <JsonView text={text} label={label} />
    </>
  );
}
