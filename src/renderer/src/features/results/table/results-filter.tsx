import { Button, CloseButton, Menu, Progress } from "@mantine/core";
import { IconCheck, IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import {
  type ColumnCondition,
  findingKindSchema,
  gradeSchema,
  lineStateSchema,
  type Preparation,
  type ResultSummary,
  verdictSchema,
} from "#contract";
import {
  formatCount,
  formatNumber,
  GradeBadge,
  lookOfGrade,
  lookOfVerdict,
  nameKind,
  VerdictBadge,
} from "../../../components/index.ts";
import { useResults } from "../results-context.tsx";
import { ConditionMenu, describeResultCondition } from "./condition-menu.tsx";
import { type ResultColumn, wordsOfState } from "./result-columns.tsx";
import classes from "./results-filter.module.css";

export interface ResultsFilterProps {
  /** All lines of the batch, counted; null while that is not known. */
  readonly summary: ResultSummary | null;
  /** How many lines the filter leaves; null while that is not known. */
  readonly shown: number | null;
  /** All columns that there are. */
  readonly columns: readonly ResultColumn[];
  /** How far columns are that the lines are chosen by; null while none is being read. */
  readonly progress: Preparation | null;
  readonly onStop: () => void;
  /** Shown at the end of the row. */
  readonly children?: ReactNode;
}

/** Narrows the lines to those with certain values. Its row is there from the start, so that none pushes the table. */
export function ResultsFilter(props: ResultsFilterProps) {
  const { summary, columns, shown, progress, onStop, children } = props;
  const { batch, verified: verification, grading, filter, onFilter } = useResults();
  const { total } = batch.counts;
  const grades = grading.run && {
    pass: grading.run.summary.passed,
    fail: grading.run.summary.failed,
    no_answer: grading.run.summary.noAnswer,
  };
  const countOf = (part: "states" | "finish" | "errors") =>
    new Map(summary?.[part].map((one) => [one.value, one.count]));
  const [states, finish, errors] = [countOf("states"), countOf("finish"), countOf("errors")];
  const kinds = new Map(verification?.kinds.map(({ kind, count }) => [kind as string, count]));
  const conditions = filter.columns ?? [];
  const setConditions = (columns: readonly ColumnCondition[]) =>
    onFilter({ ...filter, columns: columns.length === 0 ? undefined : [...columns] });
  return (
    <div className={classes.root}>
      <div className={classes.chips}>
        <FilterMenu
          name="Status"
          chosen={filter.states}
          onChoose={(values) => onFilter({ ...filter, states: values })}
          options={lineStateSchema.options
            .filter((state) => (states.get(state) ?? 0) > 0 || filter.states?.includes(state))
            .map((value) => ({ value, word: wordsOfState[value], count: states.get(value) ?? 0 }))}
        />
        {errors.size === 0 && filter.errors === undefined ? null : (
          <FilterMenu
            name="Error"
            chosen={filter.errors}
            onChoose={(values) => onFilter({ ...filter, errors: values })}
            options={listOptions(errors, filter.errors)}
          />
        )}
        {finish.size <= 1 && filter.finish === undefined ? null : (
          <FilterMenu
            name="Finish"
            chosen={filter.finish}
            onChoose={(values) => onFilter({ ...filter, finish: values })}
            options={listOptions(finish, filter.finish)}
          />
        )}
        {verification === null ? null : (
          <FilterMenu
            name="Verdict"
            chosen={filter.verdicts}
            onChoose={(values) => onFilter({ ...filter, verdicts: values })}
            options={verdictSchema.options.map((value) => ({
              value,
              word: lookOfVerdict(value).word,
              label: <VerdictBadge verdict={value} />,
              count: verification.counts[value],
            }))}
          />
        )}
        {kinds.size === 0 && filter.kinds === undefined ? null : (
          <FilterMenu
            name="Kind"
            chosen={filter.kinds}
            onChoose={(values) => onFilter({ ...filter, kinds: values })}
            options={findingKindSchema.options
              .filter((kind) => kinds.has(kind) || filter.kinds?.includes(kind))
              .map((value) => ({ value, word: nameKind(value), count: kinds.get(value) ?? 0 }))}
          />
        )}
        {grades === null ? null : (
          <FilterMenu
            name="Grade"
            chosen={filter.grades}
            onChoose={(values) => onFilter({ ...filter, grades: values })}
            options={gradeSchema.options.map((value) => ({
              value,
              word: lookOfGrade(value).word,
              label: <GradeBadge grade={value} />,
              count: grades[value],
            }))}
          />
        )}
        {conditions.map((condition) => {
          const words = describeResultCondition(condition, columns);
          return (
            <span key={JSON.stringify(condition)} className={classes.chip} data-set>
              <span className={classes.condition} title={words} dir="auto">
                {words}
              </span>
              <CloseButton
                size="sm"
                className={classes.clear}
                aria-label={`Remove the filter: ${words}`}
                onClick={() => setConditions(conditions.filter((one) => one !== condition))}
              />
            </span>
          );
        })}
        <ConditionMenu
          batchId={batch.id}
          columns={columns}
          onAdd={(condition) => setConditions([...conditions, condition])}
        />
      </div>
      {progress === null ? null : (
        <span className={classes.preparing}>
          <Progress
            w={64}
            size="sm"
            value={progress.size === 0 ? 0 : (progress.bytes / progress.size) * 100}
            aria-label={wordsOfStep[progress.step]}
          />
          {wordsOfStep[progress.step]}
          {progress.step === "reading" ? (
            <CloseButton size="sm" aria-label="Stop reading the column" onClick={onStop} />
          ) : null}
        </span>
      )}
      <output className={classes.shown}>
        {shown === null
          ? ""
          : shown === total
            ? formatCount(total, "line")
            : `${formatNumber(shown)} of ${formatCount(total, "line")}`}
      </output>
      {children}
    </div>
  );
}

const wordsOfStep = { indexing: "Indexing the lines", reading: "Reading the column" } as const;

/** What there is of codes that are not known beforehand, and what is chosen of them. */
function listOptions(counts: ReadonlyMap<string, number>, chosen: readonly string[] = []) {
  const values = new Set([...counts.keys(), ...chosen]);
  return [...values].map((value) => ({ value, word: value, count: counts.get(value) ?? 0 }));
}

interface FilterMenuProps<Value extends string> {
  readonly name: string;
  /** What is chosen; undefined for any. */
  readonly chosen: readonly Value[] | undefined;
  readonly onChoose: (values: Value[] | undefined) => void;
  readonly options: readonly {
    readonly value: Value;
    readonly word: string;
    /** In place of the word. */
    readonly label?: ReactNode;
    readonly count: number;
  }[];
}

/** A chip that opens its choices, and has a cross once one is made. */
function FilterMenu<Value extends string>({ name, chosen, onChoose, options }: FilterMenuProps<Value>) {
  const words = options.filter(({ value }) => chosen?.includes(value)).map(({ word }) => word);
  const toggle = (value: Value) => {
    const others = chosen?.filter((one) => one !== value) ?? [];
    const next = chosen?.includes(value) ? others : [...others, value];
    onChoose(next.length === 0 ? undefined : next);
  };
  return (
    <div className={classes.chip} data-set={chosen !== undefined || undefined}>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            className={classes.target}
            rightSection={chosen === undefined ? <IconChevronDown size={14} /> : null}
          >
            {name}: {chosen === undefined ? "any" : words.join(", ")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {options.map(({ value, word, label, count }) => (
            <Menu.Item
              key={value}
              onClick={() => toggle(value)}
              leftSection={
                <IconCheck size={14} aria-label="Chosen:" visibility={chosen?.includes(value) ? "visible" : "hidden"} />
              }
              rightSection={<span className={classes.count}>{formatNumber(count)}</span>}
            >
              {label ?? word}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chosen === undefined ? null : (
        <CloseButton
          size="sm"
          className={classes.clear}
          aria-label={`Show any ${name.toLowerCase()}`}
          onClick={() => onChoose(undefined)}
        />
      )}
    </div>
  );
}
