import { SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconAlertCircle, IconAlertTriangle } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useStore } from "zustand";
import type { Preview, Problem, Source } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { CopyButton, ErrorCard, formatNumber, JsonView, ProgressBar } from "../../../components/index.ts";
import { useBuildInput, useContent, useSession } from "../draft/draft-session.ts";
import { createBuildQueries } from "../queries.ts";
import { Conversation } from "./conversation.tsx";
import { isUnwritten } from "./describe-problems.ts";
import classes from "./preview.module.css";

/** How long typing has to pause before the request is rendered again, in milliseconds. */
const previewDelay = 120;

const shapes = [
  { value: "conversation", label: "Conversation" },
  { value: "json", label: "JSON" },
] as const;

/** Whether the problem is the row's own, and keeps it from being sent. */
function isFaulty({ severity, line }: Problem): boolean {
  return severity === "error" && line !== null;
}

/** The request that the selected row gives, as it will be sent, and its length against the model's limit. */
export function RowPreview({ source }: { readonly source: Source }) {
  const { view } = useSession();
  const row = useStore(view, (state) => Math.min(state.row, source.rowCount));
  const rows = useContent((content) => content.rows);
  const [shape, setShape] = useState("conversation");
  const label = `Request of row ${formatNumber(row)}`;
  const [input] = useDebouncedValue(useBuildInput(source), previewDelay);
  const current = input?.sourceId === source.id ? input : null;
  const preview = useQuery({
    ...createBuildQueries(useApi()).preview(current, row),
    enabled: current !== null && row >= 1,
    placeholderData: keepPreviousData,
  });

  const shown = useLastRequest(preview.data);

  if (preview.isError) {
    return (
      <ErrorCard
        title={`The request of row ${formatNumber(row)} could not be made`}
        {...describeError(preview.error)}
        onRetry={() => void preview.refetch()}
      />
    );
  }
  if (preview.data === undefined) return null;
  return (
    <>
      {shown === null || shown.request === null ? null : (
        <>
          <div className={classes.as}>
            <SegmentedControl
              size="xs"
              aria-label="Show the request as"
              data={[...shapes]}
              value={shape}
              onChange={setShape}
            />
            <LeftOut preview={preview.data} skipFaulty={rows.skipFaulty} />
            <span className={classes.spacer} />
            <CopyButton compact label="Copy the request" value={shown.request} />
          </div>
          {shape === "json" ? (
            <div className={classes.requestText} data-old={shown !== preview.data || undefined}>
              <JsonView text={shown.request} label={label} />
            </div>
          ) : (
            <Conversation request={shown.request} label={label} isOld={shown !== preview.data} />
          )}
        </>
      )}
      <PreviewProblems preview={preview.data} isOld={shown !== null && shown !== preview.data} />
      <TokenMeter preview={preview.data} />
    </>
  );
}

/** A notice where the row that is shown will not be asked. */
function LeftOut({ preview, skipFaulty }: { readonly preview: Preview; readonly skipFaulty: boolean }) {
  if (preview.isFilteredOut) return <span className={classes.skipped}>Not asked: the filter leaves it out</span>;
  if (!skipFaulty || !preview.problems.some(isFaulty)) return null;
  return <span className={classes.skipped}>Skipped: it has errors</span>;
}

/** The preview, or the one before it as long as it gives no request of the same row: nothing jumps while one types. */
function useLastRequest(preview: Preview | undefined): Preview | null {
  const [last, setLast] = useState<Preview | null>(null);
  if (preview !== undefined && preview.request !== null && preview !== last) setLast(preview);
  if (preview === undefined || preview.request !== null) return preview ?? null;
  return last?.row === preview.row && last.total === preview.total && !isUnwritten(preview.problems) ? last : null;
}

interface PreviewProblemsProps {
  readonly preview: Preview;
  /** What is shown is from before the problems. */
  readonly isOld: boolean;
}

/** Problems of the row itself. Those of the whole prompt are in the list of problems, and named in short here. */
function PreviewProblems({ preview: { row, request, problems }, isOld }: PreviewProblemsProps) {
  const ofRow = problems.filter(({ line }) => line !== null);
  if (request !== null || problems.length === ofRow.length) return <RowProblems problems={ofRow} />;
  if (isOld) return <p className={classes.none}>As it was before the prompt had an error.</p>;
  const when = isUnwritten(problems) ? "as soon as there is a prompt" : "when the prompt has no errors";
  return (
    <p className={classes.none}>
      The request of row {formatNumber(row)} shows here {when}.
    </p>
  );
}

function TokenMeter({ preview: { promptTokens, contextTokens } }: { readonly preview: Preview }) {
  if (promptTokens === null) return null;
  const share = contextTokens === null ? 0 : promptTokens / contextTokens;
  const isOver = share > 1;
  return (
    <div className={classes.meter}>
      {contextTokens === null ? null : (
        <div className={classes.bar}>
          <ProgressBar
            label="Tokens of the prompt against the model’s limit"
            share={Math.min(1, Math.max(share, 0.01))}
            tone={isOver ? "failed" : "active"}
            height={4}
          />
        </div>
      )}
      <span data-over={isOver || undefined} className={classes.tokens}>
        {formatNumber(promptTokens)}
        {contextTokens === null ? " tokens" : ` of ${formatNumber(contextTokens)} tokens`}
        {isOver ? ": too long for the model" : null}
      </span>
    </div>
  );
}

/** What is wrong with the request that is previewed. */
function RowProblems({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className={classes.rowProblems} aria-label="Problems of this request">
      {problems.map(({ code, param, message, severity }) => {
        const Icon = severity === "error" ? IconAlertCircle : IconAlertTriangle;
        return (
          <li key={`${code} ${param} ${message}`} data-severity={severity}>
            <Icon size={15} stroke={1.8} aria-hidden />
            <span>
              <span className={classes.rowSeverity}>{severity === "error" ? "Error" : "Warning"}</span> {message}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
