import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import type { ResultDetail } from "#contract";
import { CopyButton, formatLatency, formatNumber } from "../../../components/index.ts";
import classes from "./line-facts.module.css";

/** What reasons to finish mean, for a tooltip. */
const finishMeanings: Readonly<Record<string, string>> = {
  stop: "The answer came to its end.",
  length: "The answer was cut at the most tokens allowed.",
  tool_calls: "The model asked for a tool.",
  content_filter: "The answer was withheld by a filter.",
};

/** The figures of one line. What is not known is left out. */
export function LineFacts({ detail }: { readonly detail: ResultDetail }) {
  const { finishReason, promptTokens, completionTokens, milliseconds, statusCode, errorCode, requestId, model } =
    detail;
  const tokens = [
    promptTokens === null ? null : `${formatNumber(promptTokens)} in`,
    completionTokens === null ? null : `${formatNumber(completionTokens)} out`,
  ].filter((part) => part !== null);
  return (
    <dl className={classes.root}>
      {finishReason === null ? null : (
        <Fact name="Finish">
          <Tooltip label={finishMeanings[finishReason] ?? finishReason}>
            <span className={finishReason === "length" ? classes.warning : undefined}>{finishReason}</span>
          </Tooltip>
        </Fact>
      )}
      {tokens.length === 0 ? null : <Fact name="Tokens">{tokens.join(", ")}</Fact>}
      {milliseconds === null ? null : <Fact name="Time">{formatLatency(milliseconds)}</Fact>}
      {statusCode === null ? null : <Fact name="Status">{statusCode}</Fact>}
      {errorCode === null ? null : (
        <Fact name="Error">
          <code className={classes.code}>{errorCode}</code>
        </Fact>
      )}
      <Fact name="Model">
        <span className={classes.model}>{model}</span>
      </Fact>
      {requestId === null ? null : (
        <Fact name="Request">
          <code className={classes.code}>{requestId}</code>
          <CopyButton compact label="Copy the request id" value={requestId} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className={classes.name}>{name}</dt>
      <dd className={classes.value}>{children}</dd>
    </>
  );
}
