import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import type { BatchView, Comparison } from "#contract";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatLatency,
  formatNumber,
  formatPart,
  scrollable,
} from "../../components/index.ts";
import classes from "./compare.module.css";
import { markOf } from "./search-params.ts";

export interface CompareSummaryProps {
  readonly comparison: Comparison;
  /** Undefined for one that is gone. */
  readonly batches: readonly (BatchView | undefined)[];
}

/** How the batches compare as a whole, in a card for each question. */
export function CompareSummary({ comparison, batches }: CompareSummaryProps) {
  const { same, answered, changed, lines, batches: sides } = comparison;
  const isGraded = sides.some(({ grades }) => grades !== null);
  const isVerified = sides.some(({ verified }) => verified !== null);
  const without = sides.map((side) => lines - side.answered);
  return (
    <section className={classes.cards} aria-label="How the batches compare" {...scrollable}>
      {isGraded ? <GradedCard comparison={comparison} /> : null}
      <Card
        title="Same answer"
        note={`${formatNumber(same)} of ${formatNumber(answered)} that all answered; ${formatNumber(changed)} changed`}
      >
        <b className={classes.figure}>{answered === 0 ? "–" : formatPart(same / answered)}</b>
      </Card>
      <Card
        title="Answered"
        note={
          without.every((count) => count === 0)
            ? `every one of ${formatCount(lines, "common line")}`
            : `of ${formatCount(lines, "common line")}; ${describeMissing(without)}`
        }
      >
        <Figures values={sides.map((side) => formatNumber(side.answered))} />
      </Card>
      {isVerified ? (
        <Card title="Verified" note="answers with something contradicted or not found">
          <Figures values={sides.map(({ verified }) => (verified === null ? "–" : formatNumber(verified.doubtful)))} />
        </Card>
      ) : null}
      <Card title="Cost and time" note={describeEffort(comparison, batches)}>
        <Figures values={batches.map((batch) => costOf(batch) ?? durationOf(batch) ?? "–")} />
      </Card>
    </section>
  );
}

/** The same while nothing is known yet, as high as it will be. */
export function CompareSummaryPending() {
  return (
    <div className={classes.cards} role="status" aria-label="The answers are being compared">
      {["graded", "same", "answered", "cost"].map((card) => (
        <div key={card} className={classes.card}>
          <Skeleton height={12} width={90} />
          <Skeleton height={18} width={120} mt={12} />
          <Skeleton height={12} width="70%" mt={14} />
        </div>
      ))}
    </div>
  );
}

/** Below this a difference is called more than chance. */
const significant = 0.05;

function GradedCard({ comparison: { batches, pairs } }: { readonly comparison: Comparison }) {
  const shares = batches.map(({ grades }) => {
    const graded = grades === null ? 0 : grades.passed + grades.failed;
    return grades === null || graded === 0 ? null : grades.passed / graded;
  });
  const best = Math.max(...shares.map((share) => share ?? 0));
  const isSplit = new Set(shares.filter((share) => share !== null)).size > 1;
  return (
    <Card
      title="Graded right"
      note={pairs.length === 0 ? "Grade the other batch to see who wins" : pairs.map(describePair).join(". ")}
    >
      <Figures
        values={shares.map((share) => (share === null ? "–" : formatPart(share)))}
        best={isSplit ? shares.indexOf(best) : -1}
      />
    </Card>
  );
}

function describePair({ other, onlyFirst, onlyOther, p }: Comparison["pairs"][number]): string {
  const [first, second] = [markOf(0), markOf(other)];
  if (onlyFirst + onlyOther === 0) return `${first} and ${second} pass the same lines`;
  const size = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
  return `${second} wins ${formatCount(onlyOther, "line")}, ${first} ${formatNumber(onlyFirst)}: ${p < significant ? "more than chance" : "may be chance"} (${size})`;
}

function costOf(batch: BatchView | undefined): string | null {
  return batch?.cost == null ? null : formatCost(batch.cost.usd);
}

/** From its start to its end; null while it runs. */
function durationOf(batch: BatchView | undefined): string | null {
  if (batch === undefined) return null;
  const { inProgress, completed, expired, cancelled } = batch.times;
  const end = completed ?? expired ?? cancelled;
  return inProgress === null || end === null ? null : formatDuration(end - inProgress);
}

/** What a batch took besides the large figure. */
function describeEffort({ batches: sides }: Comparison, batches: readonly (BatchView | undefined)[]): string {
  const durations = batches.map((batch) => (costOf(batch) === null ? null : durationOf(batch)));
  const tokens = sides.map(({ promptTokens, completionTokens }) =>
    promptTokens === null && completionTokens === null
      ? null
      : formatNumber((promptTokens ?? 0) + (completionTokens ?? 0)),
  );
  const times = sides.map(({ milliseconds }) => (milliseconds === null ? null : formatLatency(milliseconds)));
  const parts = [
    durations.some((one) => one !== null) ? joinKnown(durations) : null,
    tokens.some((one) => one !== null) ? `${joinKnown(tokens)} tokens` : null,
    times.some((one) => one !== null) ? `${joinKnown(times)} an answer` : null,
  ];
  return parts.filter((part) => part !== null).join("; ");
}

const joinKnown = (values: readonly (string | null)[]) => values.map((value) => value ?? "–").join(" and ");

/** Of the batches that have not answered all: `11 not by ②`. */
const describeMissing = (without: readonly number[]) =>
  without.flatMap((count, place) => (count === 0 ? [] : [`${formatNumber(count)} not by ${markOf(place)}`])).join(", ");

function Figures({ values, best = -1 }: { readonly values: readonly string[]; readonly best?: number }) {
  return values.map((value, place) => (
    <span key={markOf(place)} className={classes.side}>
      {markOf(place)}{" "}
      <b className={classes.figure} data-best={place === best || undefined}>
        {value}
      </b>
    </span>
  ));
}

function Card({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.card}>
      <h2 className={classes.cardTitle}>{title}</h2>
      <div className={classes.figures}>{children}</div>
      <p className={classes.note} title={note}>
        {note}
      </p>
    </div>
  );
}
