import { Button } from "@mantine/core";
import { IconChartBarOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { answerPrefix, listColumnNames, type ResultSummary, resultColumns, verdictSchema } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { EmptyState, ErrorCard, lookOfVerdict, scrollable, VerdictBadge } from "../../../components/index.ts";
import { useResultSummary, useSourceColumns } from "../../../queries/batch-queries.ts";
import { type Results, useResults } from "../results-context.tsx";
import { formatterOf, lookOfColumn } from "../table/column-looks.tsx";
import { listResultColumns, type ResultColumn } from "../table/result-columns.tsx";
import { useResultRows } from "../table/result-rows.ts";
import { ResultsFilter } from "../table/results-filter.tsx";
import { BarCard } from "./bar-card.tsx";
import classes from "./charts.module.css";
import { ColumnCharts, type CountedChart, countBars, useFieldCharts } from "./column-charts.tsx";
import { HistogramChart } from "./histogram-chart.tsx";
import { barActions } from "./narrow-filter.ts";
import { RightByLabel } from "./right-by.tsx";
import { ValueBars } from "./value-bars.tsx";

/** Words first, then figures. */
const charted = listColumnNames(["milliseconds", "completion_tokens"]).toSorted(
  (a, b) => Number(resultColumns[a].kind !== undefined) - Number(resultColumns[b].kind !== undefined),
);

/** What the charts are read by is reported with a row. */
const firstRow = { first: 0, last: 0 };

/** The results of the lines that pass the filter, as charts: each with its table, and a way to its lines. */
export function ChartsTab() {
  const { batchId, search, onSearch, merged, filter, onFilter } = useResults();
  const { data, error, refetch } = useResultSummary(batchId, merged, filter);
  const { data: all = null } = useResultSummary(batchId, merged);
  const columns = useColumns();
  const wanted = [search.chart, search.against].filter((path) => path !== undefined);
  const { progress, stop } = useResultRows(firstRow, { columns: wanted });
  if (error) {
    return (
      <div className={classes.root}>
        <ErrorCard title="The lines could not be counted" {...describeError(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  return (
    <>
      <ResultsFilter
        summary={all}
        columns={columns}
        shown={data?.lines ?? null}
        progress={progress}
        onStop={() => {
          void stop();
          onSearch({ chart: undefined, against: undefined });
        }}
      />
      {data === undefined ? (
        <div className={classes.root} role="status" aria-label="The lines are being counted" />
      ) : data.lines === 0 ? (
        <EmptyState
          icon={<IconChartBarOff size={24} stroke={1.5} />}
          title="No line fits the filters"
          actions={<Button onClick={() => onFilter({})}>Count all lines</Button>}
        />
      ) : (
        <div className={classes.root} {...scrollable}>
          <div className={classes.grid}>
            <ColumnCharts columns={columns} />
            <RightByLabel />
            <UsualCharts columns={columns} summary={data} />
          </div>
        </div>
      )}
    </>
  );
}

interface UsualChartsProps {
  readonly columns: readonly ResultColumn[];
  readonly summary: ResultSummary;
}

/** The charts of the answers' fields, then those that every batch has; of all of them, those with one bar come last. */
function UsualCharts({ columns, summary }: UsualChartsProps) {
  const results = useResults();
  const claims = listClaimCharts(results, summary);
  const charts = [...useFieldCharts(columns), ...claims, ...listFixedCharts(results, summary)];
  const { one = [], several = [] } = Object.groupBy(charts, ({ bars }) => (bars === 1 ? "one" : "several"));
  return [...several, ...one].map(({ chart }) => chart);
}

/** How many claims of the verified answers came to which verdict. */
function listClaimCharts({ batch }: Results, { claims }: ResultSummary): readonly CountedChart[] {
  // An earlier version counted no claims.
  const whole = claims === null ? 0 : verdictSchema.options.reduce((sum, verdict) => sum + claims[verdict], 0);
  if (claims === null || whole === 0) return [];
  const title = "Claims by verdict";
  const bars = verdictSchema.options.map((verdict) => ({
    key: verdict,
    label: <VerdictBadge verdict={verdict} />,
    count: claims[verdict],
    tone: lookOfVerdict(verdict).tone,
  }));
  const chart = (
    <BarCard
      key="claims"
      title={title}
      fileName={`${batch.name}-claims`}
      table={() => [
        ["Verdict", "claims"],
        ...verdictSchema.options.map((verdict) => [lookOfVerdict(verdict).word, claims[verdict]]),
      ]}
      bars={bars}
      whole={whole}
      hasShares
    />
  );
  return [{ chart, bars: bars.filter(({ count }) => count > 0).length }];
}

/** The charts that every batch has, as far as there is something to draw. */
function listFixedCharts(results: Results, summary: ResultSummary): readonly CountedChart[] {
  return charted.flatMap((path): readonly CountedChart[] => {
    const { counted } = resultColumns[path];
    const counts = counted && summary[counted.as];
    if (!counts) return [];
    const shared = {
      ...barActions(results, path),
      title: counted.title,
      fileName: `${results.batch.name}-${path}`,
    };
    if (!Array.isArray(counts)) {
      const chart = <HistogramChart {...shared} key={path} histogram={counts} format={formatterOf(path)} />;
      return [{ chart, bars: countBars({ histogram: counts, groups: [] }) }];
    }
    if (counts.length === 0) return [];
    const { compare } = lookOfColumn(path);
    const groups = counts.toSorted((a, b) => compare(a.value, b.value));
    const whole = counts.reduce((sum, { count }) => sum + count, 0);
    return [
      { chart: <ValueBars {...shared} key={path} column={path} groups={groups} whole={whole} />, bars: counts.length },
    ];
  });
}

/** Answers that are looked into for the paths of their JSON. */
const sample = { offset: 0, limit: 50, filter: { states: ["answered" as const] } };

/** All columns: those of every batch, of its table, and the paths into the first answers that are JSON. */
function useColumns() {
  const { batch, batchId, merged, verified, grading, fields } = useResults();
  const [isVerified, isGraded, hasCost] = [verified !== null, grading.run !== null, batch.cost !== null];
  const { columns: sources } = useSourceColumns(batchId);
  const { data } = useQuery(
    useApi().results.page.queryOptions({
      input: { batchId, ...sample, ...(merged && { merged }) },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  return useMemo(() => {
    const known = fields.map((field) => `${answerPrefix}${field}`);
    const paths = [...new Set([...known, ...(data?.rows.flatMap(({ values }) => Object.keys(values)) ?? [])])];
    return listResultColumns({ isVerified, isGraded, hasCost, paths, sources });
  }, [data, fields, sources, isVerified, isGraded, hasCost]);
}
