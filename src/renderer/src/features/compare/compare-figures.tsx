import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useState } from "react";
import { type BatchView, type ComparedBatch, type Comparison, type ComparisonFilter, finalStatuses } from "#contract";
import {
  CutName,
  type FigureColumn,
  FigureTable,
  formatCompact,
  formatDuration,
  formatKnownCost,
  formatLatency,
  formatNumber,
  formatPart,
  IntervalMark,
  letterOf,
  MockMark,
  ScaleHead,
  SideLetter,
  scaleOf,
} from "../../components/index.ts";
import classes from "./compare-figures.module.css";
import { describePopulation } from "./describe-population.ts";

export interface CompareFiguresProps {
  /** Null while it isn't known. */
  readonly comparison: Comparison | null;
  /** Undefined for one that is gone. */
  readonly batches: readonly (BatchView | undefined)[];
  /** Of the batches, short. */
  readonly names: readonly string[];
  readonly baseline: number;
  readonly win: ComparisonFilter["win"];
  /** In a low window the lines are what the page is for: the figures are a line that opens. */
  readonly isLow: boolean;
  readonly onWin: (win: { readonly winner: number; readonly loser: number }) => void;
}

/** The figures of one batch. */
interface Side {
  readonly place: number;
  readonly name: string;
  readonly batch: BatchView | undefined;
  readonly figures: ComparedBatch | undefined;
  /** Against the baseline; undefined for the baseline itself, and where the two can't be held against each other. */
  readonly pair: Comparison["pairs"][number] | undefined;
  /** Of the answers that passed or failed; null where there are none. */
  readonly right: number | null;
  /** From the start of its run to its end, in milliseconds; null while it runs, and where it had other lines, too. */
  readonly took: number | null;
}

/** Shows a row of figures for each batch, and below them which lines they count. */
export function CompareFigures(props: CompareFiguresProps) {
  const { comparison, batches, names, baseline, isLow } = props;
  const sides = names.map((name, place): Side => {
    const figures = comparison?.batches[place];
    const batch = batches[place];
    const { passed = 0, failed = 0 } = figures?.grades ?? {};
    return {
      place,
      name,
      batch,
      figures,
      pair: comparison?.pairs.find((pair) => pair.place === place),
      right: passed + failed === 0 ? null : passed / (passed + failed),
      took: figures === undefined || figures.lines > (comparison?.lines ?? 0) ? null : durationOf(batch),
    };
  });
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={classes.root} aria-label="How the batches compare">
      {isLow ? (
        <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {sides.map(({ place, right, figures }) => (
            <span key={place} className={classes.foldSide}>
              <SideLetter side={place} isMarked={place === baseline} />
              {right === null ? null : <b className={classes.foldFigure}>{formatPart(right)}</b>}
              {figures?.cost ? formatKnownCost(figures.cost) : null}
            </span>
          ))}
          <span className={classes.foldWord}>
            All figures
            {isOpen ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
          </span>
        </button>
      ) : null}
      {isLow && !isOpen ? null : <Figures {...props} sides={sides} />}
    </section>
  );
}

function Figures({ sides, ...props }: CompareFiguresProps & { readonly sides: readonly Side[] }) {
  const { comparison, names, baseline } = props;
  return (
    <>
      <FigureTable
        label="Figures of the batches"
        foldsHead
        columns={createColumns(sides, props)}
        rows={sides}
        keyOf={({ place }) => letterOf(place)}
      />
      <p className={classes.caption} role={comparison === null ? "status" : undefined}>
        {comparison === null
          ? "The answers are being compared."
          : describePopulation(comparison, names.length, baseline)}
      </p>
    </>
  );
}

function createColumns(
  sides: readonly Side[],
  { comparison, baseline, win, onWin }: CompareFiguresProps,
): readonly FigureColumn<Side>[] {
  const isGraded = sides.some(({ right }) => right !== null);
  const isLive = sides.some(({ batch }) => batch !== undefined && !finalStatuses.has(batch.status));
  const scale = scaleOf(sides.map(({ figures }) => figures?.grades?.interval ?? null));
  const count = (winner: number, loser: number, lines: number, word: string) => (
    <button
      type="button"
      className={classes.count}
      aria-pressed={win?.winner === winner && win.loser === loser}
      aria-label={`${formatNumber(lines)} ${word}: lines that ${letterOf(winner)} passes and ${letterOf(loser)} fails`}
      disabled={lines === 0}
      onClick={() => onWin({ winner, loser })}
    >
      <b>{formatNumber(lines)}</b> {word}
    </button>
  );
  const ofGrades: FigureColumn<Side>[] = [
    {
      id: "right",
      header: "Right",
      hint: "Of the answers that have a grade",
      align: "end",
      sortBy: ({ right }) => right,
      render: ({ right }) =>
        right === null ? (
          "–"
        ) : (
          <>
            <b>{formatPart(right)}</b>
            <span className={classes.unit}> right</span>
          </>
        ),
    },
    {
      id: "interval",
      header: "95%",
      hint: "The 95% interval (Wilson)",
      align: "end",
      hideBelow: 760,
      render: ({ figures }) => (
        <span className={classes.soft}>{formatInterval(figures?.grades?.interval ?? null)}</span>
      ),
    },
    {
      id: "scale",
      header: "On one scale",
      head: <ScaleHead scale={scale} />,
      hideBelow: 960,
      render: ({ place, right, figures }) =>
        right === null || !figures?.grades?.interval ? null : (
          <span data-side={letterOf(place)}>
            <IntervalMark scale={scale} share={right} interval={figures.grades.interval} />
          </span>
        ),
    },
    {
      id: "wins",
      header: `Against ${letterOf(baseline)}`,
      head: (
        <>
          Against <SideLetter side={baseline} isMarked />
        </>
      ),
      sortBy: ({ pair }) => (pair === undefined ? null : pair.won - pair.lost),
      render: ({ place, pair }) =>
        place === baseline ? (
          <span className={classes.soft}>baseline</span>
        ) : pair === undefined ? (
          "–"
        ) : (
          <>
            {count(place, baseline, pair.won, "won")} {count(baseline, place, pair.lost, "lost")}
          </>
        ),
    },
    {
      id: "chance",
      header: "Chance",
      hint: "Probability that chance alone makes the split this uneven",
      hideBelow: 560,
      sortBy: ({ pair }) => pair?.p ?? null,
      render: ({ pair }) => (pair === undefined ? null : <Chance {...pair} />),
    },
  ];
  const figure = (
    id: string,
    header: string,
    readValue: (side: Side) => number | null,
    format: (value: number, side: Side) => string,
    more: Partial<FigureColumn<Side>> = {},
  ): FigureColumn<Side> => ({
    id,
    header,
    align: "end",
    sortBy: readValue,
    render: (side) => {
      const value = readValue(side);
      return value === null ? "–" : format(value, side);
    },
    ...more,
  });
  const failed = ({ figures, batch }: Side) => figures?.failed ?? batch?.counts.failed ?? null;
  const doubtful = ({ figures }: Side) => figures?.verified?.doubtful ?? null;
  return [
    {
      id: "batch",
      header: "Batch",
      grows: true,
      sortBy: ({ name }) => name,
      render: ({ place, name, batch }) => (
        <span className={classes.name}>
          <SideLetter side={place} isMarked={place === baseline} />
          {batch?.isMock ? <MockMark /> : null}
          <CutName name={name} title={batch?.name ?? name} />
        </span>
      ),
    },
    ...(isGraded ? ofGrades : []),
    ...(isLive
      ? [
          figure(
            "answered",
            "Answered",
            ({ figures, batch }) => figures?.answered ?? batch?.counts.completed ?? null,
            (value, { batch }) =>
              `${formatNumber(value)} of ${formatNumber(comparison?.lines ?? batch?.counts.total ?? 0)}`,
          ),
        ]
      : []),
    ...(sides.some((side) => doubtful(side) !== null)
      ? [
          figure("doubtful", "Doubtful", doubtful, formatNumber, {
            hint: "Verified answers with a claim that is contradicted or not found",
            hideBelow: 760,
          }),
        ]
      : []),
    figure("failed", "Failed", failed, formatNumber, {
      render: (side) => (
        <span className={classes.failed} data-some={(failed(side) ?? 0) > 0 || undefined}>
          {formatNumber(failed(side) ?? 0)}
          <span className={classes.unit}> failed</span>
        </span>
      ),
    }),
    figure(
      "cost",
      "Cost",
      ({ figures }) => figures?.cost?.usd ?? null,
      (_, { figures }) => (figures?.cost ? formatKnownCost(figures.cost) : "–"),
    ),
    figure("time", "Time", ({ took }) => took, formatDuration, {
      hint: "From the start of the batch to its end. Empty if the batch has other lines, too.",
      hideBelow: 760,
    }),
    figure("line", "Per line", ({ figures }) => figures?.milliseconds ?? null, formatLatency, {
      hint: "Median time of an answer",
      hideBelow: 960,
    }),
    figure("tokens", "Tokens", tokensOf, formatCompact, { hideBelow: 960 }),
  ];
}

function tokensOf({ figures }: Side): number | null {
  if (figures === undefined) return null;
  const { promptTokens, completionTokens } = figures;
  return promptTokens === null && completionTokens === null ? null : (promptTokens ?? 0) + (completionTokens ?? 0);
}

function durationOf(batch: BatchView | undefined): number | null {
  if (batch === undefined) return null;
  const { inProgress, completed, expired, cancelled } = batch.times;
  const end = completed ?? expired ?? cancelled;
  return inProgress === null || end === null ? null : end - inProgress;
}

function formatInterval(interval: readonly [number, number] | null): string {
  if (interval === null) return "–";
  const [low, high] = interval.map((end) => (end * 100).toFixed(1));
  return `${low}–${high}`;
}

/** Below this a difference is called more than chance. */
const significant = 0.05;

function Chance({ won, lost, p }: Comparison["pairs"][number]) {
  if (won + lost === 0) return <span className={classes.soft}>the same lines</span>;
  const size = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
  const word = p >= significant ? "not clear" : won > lost ? "better" : "worse";
  return (
    <span className={classes.chance} data-word={word}>
      <b>{size}</b> {word}
    </span>
  );
}
