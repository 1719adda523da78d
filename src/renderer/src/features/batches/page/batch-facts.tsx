import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { type AnswerEnd, describeEnds, describeMisfits, type EndCounts, findShortAnswers } from "#contract";
import {
  AnsweredBy,
  CutName,
  formatCount,
  formatKnownCost,
  formatPart,
  ModelNames,
  RelativeTime,
  SideLetter,
} from "../../../components/index.ts";
import { useBatches, useBatchQualities, useMisfits } from "../../../queries/batch-queries.ts";
import { describeCost, findRetried, listVersions } from "../describe-batch.ts";
import { describePassed, Verdicts } from "../list/quality.tsx";
import classes from "./batch-facts.module.css";
import { useBatchPage } from "./batch-page.tsx";
import { RunDetails } from "./run-details.tsx";

/** A tab in which the run over the answers is described. */
export type RunTab = "grades" | "verification";

export interface BatchFactsProps {
  /** Whether its answers are shown with those of its retries. */
  readonly isMerged: boolean;
  /** How many answers ended in which way, of all that are shown. */
  readonly ends: EndCounts;
  /** To the answers that ended in one of these ways. */
  readonly onShowEnds: (ends: AnswerEnd[]) => void;
  /** To the answers that break the schemas of their requests. */
  readonly onShowMisfits: () => void;
  /** To what a run over the answers came to. */
  readonly onShowRun: (tab: RunTab) => void;
}

/** What answered a batch, what that cost, and how good the answers are: one line. */
export function BatchFacts({ isMerged, ends, onShowEnds, onShowMisfits, onShowRun }: BatchFactsProps) {
  const { batch, onOpenBatch } = useBatchPage();
  const { models, connection, isMock, times, status } = batch;
  const { batches } = useBatches();
  const { accuracy, verdicts, rulesAlone } = useBatchQualities().get(batch.id) ?? {};
  const root = findRetried(batch, batches);
  const versions = listVersions(batch, batches);
  const short = findShortAnswers(ends);
  const misfitCount = useMisfits(batch, isMerged);
  const [misfits] = describeMisfits(misfitCount);
  return (
    <div className={classes.root}>
      {root === undefined ? null : (
        <Fact name="model">
          <button type="button" className={classes.link} onClick={() => onOpenBatch(root.id)}>
            <CutName name={`Retry of ${root.name}`} />
          </button>
        </Fact>
      )}
      {models.length === 0 ? null : (
        <Fact name="model">
          <ModelNames models={models} />
        </Fact>
      )}
      {isMock && status === "failed" ? null : (
        <Fact {...(isMock ? {} : { name: "connection" })}>
          <AnsweredBy batch={batch} />
        </Fact>
      )}
      {connection === null || batch.cost === null ? null : (
        <Fact>
          <span title={describeCost(batch) ?? undefined}>{formatKnownCost(batch.cost)}</span>
        </Fact>
      )}
      {batch.reused === 0 ? null : <Fact name="reused">{formatCount(batch.reused, "answer")} reused</Fact>}
      <Fact name="age">
        <RelativeTime time={times.created} isReal={connection !== null} />
      </Fact>
      {accuracy ? (
        <Fact>
          <button
            type="button"
            className={classes.figure}
            title={describePassed(accuracy)}
            onClick={() => onShowRun("grades")}
          >
            <VisuallyHidden>Accuracy: </VisuallyHidden>
            <b>{formatPart(accuracy.share)}</b> right
          </button>
        </Fact>
      ) : null}
      {verdicts ? (
        <Fact>
          <button type="button" className={classes.figure} onClick={() => onShowRun("verification")}>
            <VisuallyHidden>Verdicts: </VisuallyHidden>
            <Verdicts verdicts={verdicts} rulesAlone={rulesAlone ?? 0} />
          </button>
        </Fact>
      ) : null}
      {short === null ? null : (
        <Fact>
          <button
            type="button"
            className={classes.short}
            title={`${describeEnds(ends).join(", ")}. Show these answers.`}
            onClick={() => onShowEnds(short.ends)}
          >
            {short.words}
          </button>
        </Fact>
      )}
      {misfits === undefined ? null : (
        <Fact>
          <button
            type="button"
            className={classes.short}
            title={`${misfitCount === null ? "Answers that break their schema could not be counted" : misfits}. Show these answers.`}
            onClick={onShowMisfits}
          >
            {misfits}
          </button>
        </Fact>
      )}
      {versions.length < 2 ? null : (
        <Fact name="versions">
          <nav className={classes.versions} aria-label="Versions">
            {versions.map(({ id, name }, side) => (
              <button
                key={id}
                type="button"
                className={classes.version}
                title={name}
                aria-label={`${name}, version ${side + 1}`}
                aria-current={id === batch.id ? "page" : undefined}
                onClick={() => onOpenBatch(id)}
              >
                <SideLetter side={side} isMarked={id === batch.id} />
              </button>
            ))}
          </nav>
        </Fact>
      )}
      <RunDetails batch={batch} />
    </div>
  );
}

/** One of the facts. With a `name`, it gives its room to the others in a narrow window. */
function Fact({ name, children }: { readonly name?: string; readonly children: ReactNode }) {
  return (
    <span className={classes.fact} data-fact={name}>
      {children}
    </span>
  );
}
