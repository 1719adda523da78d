import { Button } from "@mantine/core";
import { IconChartBarOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import {
  type ColumnCondition,
  gradeSchema,
  lineStateSchema,
  type ResultFilter,
  type ValueCount,
  verdictSchema,
} from "#contract";
import { describeError } from "../../../bridge/index.ts";
import {
  EmptyState,
  ErrorCard,
  formatCount,
  formatLatency,
  formatNumber,
  GradeBadge,
  lookOfGrade,
  lookOfVerdict,
  scrollable,
  VerdictBadge,
} from "../../../components/index.ts";
import { type Bar, BarChart, ShowLines } from "../bar-chart.tsx";
import { useResultSummary } from "../batch-queries.ts";
import { formatLineCost, wordsOfState } from "../results/result-columns.tsx";
import classes from "./charts.module.css";
import { HistogramChart } from "./histogram-chart.tsx";
import { saveText } from "./save-file.ts";

export interface ChartsTabProps {
  readonly batchId: string;
  /** Of the batch, for the names of files. */
  readonly name: string;
  /** Whether of lines with the newest answer of the batch and its retries. */
  readonly merged: boolean;
  readonly filter: ResultFilter;
  readonly onFilter: (filter: ResultFilter) => void;
}

/** What came of the lines that the filter leaves, as charts: each with its table, and a way to its lines. */
export function ChartsTab({ batchId, name, merged, filter, onFilter }: ChartsTabProps) {
  const { data, error, refetch } = useResultSummary(batchId, merged, filter);
  if (error) {
    return (
      <div className={classes.root}>
        <ErrorCard title="The lines could not be counted" {...describeError(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined)
    return <div className={classes.root} role="status" aria-label="The lines are being counted" />;
  if (data.lines === 0) {
    return (
      <EmptyState
        icon={<IconChartBarOff size={24} stroke={1.5} />}
        title="No line fits the filters"
        actions={<Button onClick={() => onFilter({})}>Show all lines</Button>}
      />
    );
  }
  const showRange = (path: string) => (from: number, to: number) => {
    const others = (filter.columns ?? []).filter((condition) => condition.path !== path);
    const range: ColumnCondition[] = [
      { path, op: "at_least", value: String(from) },
      { path, op: "less", value: String(to) },
    ];
    onFilter({ ...filter, columns: [...others, ...range] });
  };
  const histograms = [
    ["Time", "milliseconds", data.milliseconds, formatLatency],
    ["Tokens of answers", "completion_tokens", data.completionTokens, formatNumber],
    ["Tokens of prompts", "prompt_tokens", data.promptTokens, formatNumber],
    ["Cost", "cost", data.cost, formatLineCost],
  ] as const;
  return (
    <div className={classes.root} {...scrollable}>
      {Object.keys(filter).length === 0 ? null : (
        <p className={classes.lead}>
          {formatCount(data.lines, "line")} that the filters leave.{" "}
          <Button size="xs" variant="subtle" onClick={() => onFilter({})}>
            Count all lines
          </Button>
        </p>
      )}
      <div className={classes.grid}>
        <Categories
          title="Status"
          fileName={`${name}-status`}
          counts={inOrder(data.states, lineStateSchema.options)}
          wordOf={(state) => wordsOfState[state]}
          onShow={(state) => onFilter({ ...filter, states: [state] })}
        />
        <Categories
          title="Reasons to finish"
          fileName={`${name}-finish`}
          counts={data.finish}
          wordOf={(finish) => finish}
          onShow={(finish) => onFilter({ ...filter, finish: [finish] })}
        />
        <Categories
          title="Verdicts"
          fileName={`${name}-verdicts`}
          counts={inOrder(data.verdicts, verdictSchema.options)}
          wordOf={(verdict) => lookOfVerdict(verdict).word}
          labelOf={(verdict) => <VerdictBadge verdict={verdict} />}
          onShow={(verdict) => onFilter({ ...filter, verdicts: [verdict] })}
        />
        <Categories
          title="Grades"
          fileName={`${name}-grades`}
          counts={inOrder(data.grades, gradeSchema.options)}
          wordOf={(grade) => lookOfGrade(grade).word}
          labelOf={(grade) => <GradeBadge grade={grade} />}
          onShow={(grade) => onFilter({ ...filter, grades: [grade] })}
        />
        {histograms.map(([title, path, histogram, format]) =>
          histogram === null ? null : (
            <HistogramChart
              key={path}
              title={title}
              fileName={`${name}-${path}`}
              histogram={histogram}
              format={format}
              onRange={showRange(path)}
            />
          ),
        )}
      </div>
    </div>
  );
}

/** The counts of words that are known beforehand, in their order. */
function inOrder<Value extends string>(counts: readonly ValueCount[], values: readonly Value[]) {
  return values.flatMap((value) => {
    const found = counts.find((one) => one.value === value);
    return found === undefined ? [] : [{ value, count: found.count }];
  });
}

interface CategoriesProps<Value extends string> {
  readonly title: string;
  readonly fileName: string;
  readonly counts: readonly { readonly value: Value; readonly count: number }[];
  readonly wordOf: (value: Value) => string;
  readonly labelOf?: (value: Value) => ReactNode;
  readonly onShow: (value: Value) => void;
}

function Categories<Value extends string>(props: CategoriesProps<Value>) {
  const { title, fileName, counts, wordOf, labelOf = wordOf, onShow } = props;
  if (counts.length === 0) return null;
  const bars = counts.map(
    ({ value, count }): Bar => ({
      key: value,
      label: labelOf(value),
      count,
      tone: "accent",
      action: <ShowLines of={wordOf(value)} onShow={() => onShow(value)} />,
    }),
  );
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => saveText(`${fileName}.csv`, ["value,lines", ...counts.map(toCsvRow)].join("\n"))}
        >
          CSV
        </Button>
      </div>
      <BarChart label={title} bars={bars} whole={counts.reduce((sum, { count }) => sum + count, 0)} hasShares />
    </section>
  );
}

function toCsvRow({ value, count }: { readonly value: string; readonly count: number }): string {
  return `"${value.replaceAll('"', '""')}",${count}`;
}
