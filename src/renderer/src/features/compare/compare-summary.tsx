import { Skeleton } from "@mantine/core";
import type { BatchView, Comparison, ComparisonFilter } from "#contract";
import {
  formatCount,
  formatDuration,
  formatKnownCost,
  formatLatency,
  formatNumber,
  formatPart,
  scrollable,
} from "../../components/index.ts";
import classes from "./compare.module.css";

export interface CompareSummaryProps {
  readonly comparison: Comparison;
  /** Undefined for one that is gone. */
  readonly batches: readonly (BatchView | undefined)[];
  /** Of the batches, short. */
  readonly names: readonly string[];
  readonly win: ComparisonFilter["win"];
  readonly onWin: (win: { readonly winner: number; readonly loser: number }) => void;
}

/** How the batches compare as a whole: how often they agree, the figures in which they differ, and who wins by grade. */
export function CompareSummary({ comparison, batches, names, win, onWin }: CompareSummaryProps) {
  const { same, answered, changed, by } = comparison;
  const figures = listFigures(comparison, batches);
  const differing = figures.filter(({ values }) => new Set(values).size > 1);
  const alike = figures.filter(({ values, name }) => new Set(values).size === 1 && values[0] !== "–" && name !== "");
  return (
    <section className={classes.summary} aria-label="How the batches compare" {...scrollable}>
      <div className={classes.card}>
        <h2 className={classes.cardTitle}>Same {by === "answer" ? "answer" : <code>{by}</code>}</h2>
        <b className={classes.figure}>{answered === 0 ? "–" : formatPart(same / answered)}</b>
        <p className={classes.note}>
          {formatNumber(same)} of {formatCount(answered, "line")} that all answered; {formatNumber(changed)} changed
        </p>
      </div>
      <div className={classes.card}>
        <h2 className={classes.cardTitle}>{differing.length === 0 ? "No figure differs" : "Figures that differ"}</h2>
        {differing.length === 0 ? null : <FigureTable figures={differing} names={names} />}
        {alike.length === 0 ? null : (
          <p className={classes.note}>
            The same in all: {alike.map(({ name, values }) => `${name} ${values[0]}`).join(", ")}
          </p>
        )}
      </div>
      <Wins comparison={comparison} names={names} win={win} onWin={onWin} />
    </section>
  );
}

/** The same while nothing is known yet. */
export function CompareSummaryPending() {
  return (
    <div className={classes.summary} role="status" aria-label="The answers are being compared">
      {["same", "figures", "wins"].map((card) => (
        <div key={card} className={classes.card}>
          <Skeleton height={12} width={90} />
          <Skeleton height={18} width={120} mt={12} />
          <Skeleton height={12} width="70%" mt={14} />
        </div>
      ))}
    </div>
  );
}

interface Figure {
  /** Begins with a small letter. */
  readonly name: string;
  /** Of each batch; "–" where it is not known. */
  readonly values: readonly string[];
  /** The place of the best one; -1 where none is. */
  readonly best?: number;
}

function listFigures({ batches: sides }: Comparison, batches: readonly (BatchView | undefined)[]): Figure[] {
  const shares = sides.map(({ grades }) => {
    const graded = grades === null ? 0 : grades.passed + grades.failed;
    return grades === null || graded === 0 ? null : grades.passed / graded;
  });
  const best = Math.max(...shares.map((share) => share ?? 0));
  const figure = (name: string, values: readonly (string | null)[]) => ({
    name,
    values: values.map((value) => value ?? "–"),
  });
  return [
    {
      ...figure(
        "graded right",
        shares.map((share) => (share === null ? null : formatPart(share))),
      ),
      best: shares.indexOf(best),
    },
    figure(
      "answered",
      sides.map((side) => formatNumber(side.answered)),
    ),
    figure(
      "failed",
      sides.map((side) => formatNumber(side.failed)),
    ),
    figure(
      "contradicted or not found",
      sides.map(({ verified }) => (verified === null ? null : formatNumber(verified.doubtful))),
    ),
    figure(
      "cost",
      batches.map((batch) => (batch?.cost == null ? null : formatKnownCost(batch.cost))),
    ),
    figure("took", batches.map(durationOf)),
    figure(
      "an answer took",
      sides.map(({ milliseconds }) => (milliseconds === null ? null : formatLatency(milliseconds))),
    ),
    figure(
      "tokens",
      sides.map(({ promptTokens, completionTokens }) =>
        promptTokens === null && completionTokens === null
          ? null
          : formatNumber((promptTokens ?? 0) + (completionTokens ?? 0)),
      ),
    ),
  ];
}

/** From its start to its end; null while it runs. */
function durationOf(batch: BatchView | undefined): string | null {
  if (batch === undefined) return null;
  const { inProgress, completed, expired, cancelled } = batch.times;
  const end = completed ?? expired ?? cancelled;
  return inProgress === null || end === null ? null : formatDuration(end - inProgress);
}

function FigureTable({ figures, names }: { readonly figures: readonly Figure[]; readonly names: readonly string[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Batch</th>
          {figures.map(({ name }) => (
            <th key={name} scope="col">
              {name.slice(0, 1).toUpperCase() + name.slice(1)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((name, place) => (
          <tr key={name}>
            <th scope="row" dir="auto" title={name}>
              {name}
            </th>
            {figures.map(({ name: figure, values, best }) => (
              <td key={figure} data-best={place === best || undefined}>
                {values[place]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Below this a difference is called more than chance. */
const significant = 0.05;

/** Who wins over whom by grade; a count shows its lines. */
function Wins({ comparison, names, win, onWin }: Omit<CompareSummaryProps, "batches">) {
  const { pairs, batches } = comparison;
  const graded = batches.filter(({ grades }) => grades !== null).length;
  if (graded === 0) return null;
  const count = (winner: number, loser: number, lines: number) => (
    <button
      type="button"
      className={classes.filter}
      aria-pressed={win?.winner === winner && win.loser === loser}
      aria-label={`${names[winner]} ${formatNumber(lines)}: lines that ${names[winner]} passes and ${names[loser]} fails`}
      disabled={lines === 0}
      onClick={() => onWin({ winner, loser })}
    >
      <span dir="auto">{names[winner]}</span> {formatNumber(lines)}
    </button>
  );
  return (
    <div className={classes.card}>
      <h2 className={classes.cardTitle}>Who passes where the other fails</h2>
      {pairs.length > 0 ? (
        <ul className={classes.pairs} {...scrollable}>
          {pairs.map(({ first, second, firstWins, secondWins, p }) => (
            <li key={`${first} ${second}`}>
              {count(first, second, firstWins)} {count(second, first, secondWins)}
              <span className={classes.note}>{describeChance(firstWins + secondWins, p)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes.note}>
          {graded === 1
            ? "Grade the other batches too, by the same grader and column."
            : "They were graded by different graders or columns: grade them alike to see who wins."}
        </p>
      )}
      {pairs.length > 1 ? <p className={classes.note}>p is corrected for {pairs.length} pairs (Holm).</p> : null}
    </div>
  );
}

function describeChance(lines: number, p: number): string {
  if (lines === 0) return "the same lines";
  const size = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
  return `${p < significant ? "more than chance" : "may be chance"} (${size})`;
}
