import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type Claim, type TextSource, type Verdict, type VerifyResult, verdictOf } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import {
  ClaimList,
  ErrorCard,
  MarkedText,
  markSource,
  nameSource,
  ResponseCounts,
  scrollable,
  unbrokenProps,
} from "../../../components/index.ts";
import { useVerification } from "../../../queries/run-queries.ts";
import classes from "./line-claims.module.css";

export interface LineClaimsProps {
  readonly batchId: string;
  readonly line: number;
  /** The verdict that the lines are filtered by: the first claim that has it is shown. Null for the gravest. */
  readonly verdict: Verdict | null;
}

/** The claims of a line with, below them, the document at the evidence of the chosen one: both are in view. */
export function LineClaims({ batchId, line, verdict }: LineClaimsProps) {
  const { data, error, refetch } = useQuery(
    useApi().verifications.line.queryOptions({
      input: { batchId, line },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    }),
  );
  if (error) {
    return (
      <div className={classes.part}>
        <ErrorCard title="The claims could not be read" {...describeError(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className={classes.part} role="status" aria-label="The claims are being read">
        <Skeleton height={12} mt={4} />
        <Skeleton height={12} width="70%" mt={8} />
      </div>
    );
  }
  return data === null ? null : <Claims {...data} batchId={batchId} wanted={verdict} />;
}

interface ClaimsProps {
  readonly batchId: string;
  readonly result: VerifyResult;
  readonly document: string | null;
  readonly wanted: Verdict | null;
}

function Claims({ batchId, result, document, wanted }: ClaimsProps) {
  const { run } = useVerification(batchId);
  const { claims, counts, prompt } = result;
  const verdict = verdictOf(counts);
  const [active, setActive] = useState(() => firstOf(claims, wanted ?? verdict));
  const claim = active === null ? undefined : claims[active];
  const source = sourceOf(claim, document !== null);
  const text = source === "prompt" ? prompt : document;
  return (
    <>
      <div className={classes.part} {...scrollable}>
        <p className={classes.head}>
          <ResponseCounts counts={counts} />
        </p>
        {claims.length === 0 ? <p className={classes.counts}>{result.explanation}</p> : null}
        <ClaimList
          claims={claims}
          showsJudge={run !== null && run.choice.judge !== "rules"}
          active={active}
          keepsInView
          onActive={(index, by) => by === "focus" && setActive(index)}
        />
      </div>
      {text === null || text.trim() === "" ? null : (
        <SourceText key={`${source} ${active}`} source={source} text={text} claim={claim} />
      )}
    </>
  );
}

function firstOf(claims: readonly Claim[], verdict: Verdict): number | null {
  const at = claims.findIndex((claim) => claim.verdict === verdict);
  return at < 0 ? (claims.length === 0 ? null : 0) : at;
}

/** The text with the evidence of a claim; without evidence the document, or the prompt where there is none. */
function sourceOf(claim: Claim | undefined, hasDocument: boolean): Exclude<TextSource, "response"> {
  if (!hasDocument) return "prompt";
  const evidence = claim?.findings.flatMap((finding) => finding.evidence) ?? [];
  const sources = new Set([...evidence, ...(claim?.nearest ? [claim.nearest.span] : [])].map(({ source }) => source));
  return sources.has("prompt") && !sources.has("document") ? "prompt" : "document";
}

/** How much of a long text is shown around the evidence, in characters. */
const before = 2_000;
const longest = 8_000;

interface SourceTextProps {
  readonly source: Exclude<TextSource, "response">;
  readonly text: string;
  readonly claim: Claim | undefined;
}

/** The document or the prompt, scrolled to the evidence of the claim. */
function SourceText({ source, text, claim }: SourceTextProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const marks = (claim === undefined ? [] : markSource(claim, source)).filter(({ end }) => end <= text.length);
  const first = marks.length === 0 ? 0 : Math.min(...marks.map(({ start }) => start));
  const from = text.length <= longest ? 0 : Math.max(0, first - before);
  useEffect(() => {
    const element = scroller.current;
    const mark = element?.querySelector("mark");
    if (!element) return;
    element.scrollTop = mark ? mark.offsetTop - (element.clientHeight - mark.offsetHeight) / 2 : 0;
  }, []);
  return (
    <section className={classes.source} aria-label={nameSource(source)}>
      <h3 className={classes.title}>{nameSource(source)}</h3>
      <div ref={scroller} className={classes.text} dir="auto" {...scrollable} {...unbrokenProps(text)}>
        {from > 0 ? "…" : null}
        <MarkedText text={text.slice(from, from + longest)} from={from} marks={marks} />
        {from + longest < text.length ? "…" : null}
      </div>
    </section>
  );
}
