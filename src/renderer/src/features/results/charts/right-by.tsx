import { Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ResultChart, type ResultFilter, sourcePrefix, wilsonInterval } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import {
  CutName,
  ErrorCard,
  type FigureColumn,
  FigureTable,
  formatCount,
  formatNumber,
  formatPart,
  IntervalMark,
  ScaleHead,
  scaleOf,
} from "../../../components/index.ts";
import { useResults } from "../results-context.tsx";
import { ChartCard } from "./chart-card.tsx";
import { narrowFilter } from "./narrow-filter.ts";
import classes from "./right-by.module.css";
import { compareWithLargest } from "./value-bars.tsx";

/** Shows how many answers are right for each label, if they are graded against a column. */
export function RightByLabel() {
  const { grading } = useResults();
  const column = grading.run?.column ?? null;
  return column === null ? null : <RightBy column={column} mark="bars" />;
}

export interface RightByProps {
  /** Of the table that the batch was built from. */
  readonly column: string;
  /** Right and wrong as bars, or the share with its interval on one scale. */
  readonly mark: "bars" | "intervals";
}

/** Lines with the same value of a column. */
interface RightGroup {
  readonly label: string;
  readonly rows: number;
  readonly right: number;
  readonly wrong: number;
  /** The filter of its lines; null for those of several values. */
  readonly filter: ResultFilter | null;
}

/** How many answers are right for each value of a column, as a table that sorts by any of its columns. */
export function RightBy({ column, mark }: RightByProps) {
  const { batch, batchId, merged, filter, onShow, grading } = useResults();
  const path = `${sourcePrefix}${column}`;
  const { data, error, refetch } = useQuery(
    useApi().results.chart.queryOptions({
      input: { batchId, filter, column: path, measure: "grade", ...(merged && { merged }) },
      staleTime: 2_000,
      retry: false,
      placeholderData: keepPreviousData,
    }),
  );
  const title = `Right by ${column}`;
  if (error) {
    const failure = `“${column}” could not be counted`;
    return <ErrorCard title={failure} {...describeError(error)} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton height={180} />;
  const groups = listGroups(data, (value, isCut) => narrowFilter(filter, path, { value, isCut }));
  if (data.hasTooManyValues || groups.length === 0) {
    return (
      <ChartCard title={title} fileName={batch.name} table={() => []} onPicture={null}>
        <p className={classes.none}>{explainNoGroups(data)}</p>
      </ChartCard>
    );
  }
  const largest = Math.max(...groups.map(({ rows }) => rows));
  const rest = data.known - groups.reduce((sum, { rows }) => sum + rows, 0);
  const total = grading.run?.summary.accuracy ?? null;
  const columns = [labelColumn, mark === "bars" ? barColumn(largest) : intervalColumn(groups, total), ...figureColumns];
  const others: RightGroup = { label: "others", rows: rest, right: 0, wrong: 0, filter: null };
  return (
    <ChartCard
      title={title}
      fileName={`${batch.name}-right-by-${column}`}
      table={() => [
        [column, "lines", "right", "wrong"],
        ...groups.map(({ label, rows, right, wrong }) => [label, rows, right, wrong]),
      ]}
      onPicture={null}
      isFlush
    >
      <FigureTable
        label={title}
        columns={columns}
        rows={groups}
        keyOf={({ label, filter: own }) => `${own === null} ${label}`}
        firstSort={{ column: "rows", order: "desc" }}
        lastRows={rest > 0 ? [others] : []}
        onOpen={({ label, filter: own }) =>
          own === null ? undefined : { name: `Show lines: ${label}`, open: () => onShow(own) }
        }
      />
      {data.lines > data.known ? (
        <p className={classes.none}>{formatCount(data.lines - data.known, "line")} without a value</p>
      ) : null}
    </ChartCard>
  );
}

/** Says why a column has no groups. */
export function explainNoGroups({ hasTooManyValues, histogram, areObjects }: ResultChart): string {
  if (hasTooManyValues || histogram !== null) return "It has too many different values.";
  return areObjects ? "Its values are objects, not groups." : "No graded line has a value in this column.";
}

function listGroups(
  { groups, measure }: ResultChart,
  filterOf: (value: string, isCut: boolean) => ResultFilter,
): RightGroup[] {
  const [pass = -1, fail = -1] = ["pass", "fail"].map((grade) => measure?.values.indexOf(grade) ?? -1);
  return groups.flatMap(({ value, isCut, count, measured, range }) => {
    const [right = 0, wrong = 0] = [measured?.counts[pass], measured?.counts[fail]];
    if (range !== null || right + wrong === 0) return [];
    return [{ label: isCut ? `${value}…` : value, rows: count, right, wrong, filter: filterOf(value, isCut) }];
  });
}

const rightOf = ({ right, wrong }: RightGroup) => (right + wrong === 0 ? null : right / (right + wrong));
const intervalOf = ({ right, wrong }: RightGroup) => wilsonInterval(right, right + wrong);

const labelColumn: FigureColumn<RightGroup> = {
  id: "label",
  header: "Value",
  grows: true,
  sortBy: ({ label }) => label,
  render: ({ label, filter }) =>
    filter === null ? <span className={classes.soft}>{label}</span> : <CutName name={label} />,
};

function barColumn(largest: number): FigureColumn<RightGroup> {
  return {
    id: "bar",
    header: "Right and wrong",
    head: (
      <span className={classes.legend}>
        <i data-tone="right" /> right <i data-tone="wrong" /> wrong
      </span>
    ),
    render: ({ right, wrong, rows, filter }) =>
      filter === null ? (
        <span className={classes.soft}>{compareWithLargest(rows, largest)}</span>
      ) : (
        <span className={classes.bar} aria-hidden>
          <i data-tone="right" style={{ width: `${(right / largest) * 100}%` }} />
          <i data-tone="wrong" style={{ width: `${(wrong / largest) * 100}%` }} />
        </span>
      ),
  };
}

function intervalColumn(groups: readonly RightGroup[], total: number | null): FigureColumn<RightGroup> {
  const scale = scaleOf(groups.map(intervalOf));
  return {
    id: "scale",
    header: "On one scale",
    head: <ScaleHead scale={scale} />,
    render: (group) => {
      const [share, interval] = [rightOf(group), intervalOf(group)];
      return share === null || interval === null ? null : (
        <span className={classes.mark}>
          <IntervalMark scale={scale} share={share} interval={interval} total={total} />
        </span>
      );
    },
  };
}

/** Below this the share of right answers is set off. */
const low = 0.7;

const figureColumns: readonly FigureColumn<RightGroup>[] = [
  {
    id: "rows",
    header: "Rows",
    align: "end",
    sortBy: ({ rows }) => rows,
    render: ({ rows }) => formatNumber(rows),
  },
  {
    id: "right",
    header: "Right",
    hint: "Of the answers that have a grade",
    align: "end",
    sortBy: rightOf,
    // The first click brings the worst group up.
    isLeastFirst: true,
    render: (group) => {
      const share = rightOf(group);
      if (share === null) return null;
      return share < low ? <b>{formatPart(share)}</b> : formatPart(share);
    },
  },
  {
    id: "interval",
    header: "95%",
    hint: "The 95% interval (Wilson)",
    align: "end",
    hideBelow: 560,
    render: (group) => (
      <span className={classes.soft}>
        {intervalOf(group)
          ?.map((end) => Math.round(end * 100))
          .join("–")}
      </span>
    ),
  },
];
