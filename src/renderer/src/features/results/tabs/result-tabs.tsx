import { Tabs } from "@mantine/core";
import { lazy, type ReactNode, type Ref, Suspense } from "react";
import { formatNumber } from "../../../components/index.ts";
import { GradesTab } from "../grading/grades-tab.tsx";
import { useResults } from "../results-context.tsx";
import type { BatchSearch } from "../search-params.ts";
import { ResultsTable, type ResultsTableHandle, type ResultsTableProps } from "../table/results-table.tsx";
import { VerificationTab } from "../verification/verification-tab.tsx";
import { ErrorsTab } from "./errors-tab.tsx";
import { ProblemsTab } from "./problems-tab.tsx";
import { RawTab } from "./raw-tab.tsx";
import { ResultState } from "./result-state.tsx";
import classes from "./result-tabs.module.css";

/** What draws charts is loaded when they are looked at. */
const ChartsTab = lazy(async () => ({ default: (await import("../charts/charts-tab.tsx")).ChartsTab }));

type Tab = NonNullable<BatchSearch["tab"]>;

const tabs: readonly Tab[] = ["results", "errors", "charts", "problems", "verification", "grades", "raw"];

export interface ResultTabsProps extends Pick<ResultsTableProps, "onRetry"> {
  /** The table of the results, for stepping from line to line. */
  readonly table: Ref<ResultsTableHandle>;
  /** What can be done with the batch: at the end of the row of tabs. */
  readonly actions: ReactNode;
}

/** The results of a batch: its lines, errors, charts, what runs over them found, and the batch as it is on the wire. */
export function ResultTabs({ table, onRetry, actions }: ResultTabsProps) {
  const { batch, search, onSearch, retries, merged, verification, grading } = useResults();
  const { completed, failed, damaged, neverRan, awaited } = batch.counts;
  const hasFailed = batch.status === "failed";
  const ended = completed + failed + damaged;
  const errors = failed + damaged + neverRan + awaited;
  const first: Tab = hasFailed ? "problems" : "results";
  const isThere: Record<Tab, boolean> = {
    results: !hasFailed,
    errors: !hasFailed && errors > 0,
    charts: !hasFailed && ended > 0,
    problems: hasFailed,
    verification: verification.run !== null,
    grades: grading.run !== null,
    raw: true,
  };
  const { tab } = search;
  const shown = tab !== undefined && isThere[tab] ? tab : first;
  const hasChoice = retries > 0 && (shown === "results" || shown === "errors" || shown === "charts");
  const isRunShown = [verification, grading].some(({ run }) => run !== null && run.state !== "done");
  // Else the title has the focus, or the first field, which opens its list over the figures.
  const firstFocus = (one: Tab) => ({ "data-first-focus": one === shown || undefined });
  return (
    <Tabs
      className={classes.tabs}
      classNames={{ list: classes.tabList, tab: classes.tab, panel: classes.panel }}
      value={shown}
      onChange={(value) => onSearch({ tab: tabs.find((one) => one === value && one !== first) })}
      keepMounted={false}
    >
      <div className={classes.tabRow} data-crowded={hasChoice || isRunShown || undefined}>
        <Tabs.List aria-label="What to see of the batch">
          {hasFailed ? (
            <Tabs.Tab value="problems">
              Input problems <span className={classes.count}>{formatNumber(batch.problemCount)}</span>
            </Tabs.Tab>
          ) : (
            <Tabs.Tab value="results">
              Results {merged ? null : <span className={classes.count}>{formatNumber(ended)}</span>}
            </Tabs.Tab>
          )}
          {isThere.errors ? (
            <Tabs.Tab value="errors">
              Errors {merged ? null : <span className={classes.count}>{formatNumber(errors)}</span>}
            </Tabs.Tab>
          ) : null}
          {isThere.charts ? (
            <Tabs.Tab value="charts" {...firstFocus("charts")}>
              Charts
            </Tabs.Tab>
          ) : null}
          {isThere.verification ? (
            <Tabs.Tab value="verification" {...firstFocus("verification")}>
              Verification
            </Tabs.Tab>
          ) : null}
          {isThere.grades ? (
            <Tabs.Tab value="grades" {...firstFocus("grades")}>
              Grades
            </Tabs.Tab>
          ) : null}
          <Tabs.Tab value="raw">Raw</Tabs.Tab>
        </Tabs.List>
        <ResultState hasChoice={hasChoice} />
        {actions}
      </div>
      <Tabs.Panel value={first}>
        {hasFailed ? <ProblemsTab batch={batch} /> : <ResultsTable handle={table} onRetry={onRetry} />}
      </Tabs.Panel>
      {isThere.errors ? (
        <Tabs.Panel value="errors">
          <ErrorsTab />
        </Tabs.Panel>
      ) : null}
      {isThere.charts ? (
        <Tabs.Panel value="charts">
          <Suspense fallback={null}>
            <ChartsTab />
          </Suspense>
        </Tabs.Panel>
      ) : null}
      {verification.run === null ? null : (
        <Tabs.Panel value="verification">
          <VerificationTab run={verification.run} />
        </Tabs.Panel>
      )}
      {grading.run === null ? null : (
        <Tabs.Panel value="grades">
          <GradesTab run={grading.run} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="raw">
        <RawTab batch={batch} />
      </Tabs.Panel>
    </Tabs>
  );
}
