import { Button, CloseButton, Menu, Progress } from "@mantine/core";
import { IconCheck, IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import {
  type ColumnCondition,
  type ColumnName,
  filterMemberOf,
  findingKindSchema,
  listColumnNames,
  type Preparation,
  type ResultSummary,
  resultColumns,
} from "#contract";
import { formatCount, formatNumber, nameKind } from "../../../components/index.ts";
import { useResults } from "../results-context.tsx";
import { filterFromOf, lookOfColumn } from "./column-looks.tsx";
import { ConditionMenu, describeResultCondition } from "./condition-menu.tsx";
import type { ConstantColumn } from "./constant-columns.ts";
import type { ResultColumn } from "./result-columns.tsx";
import classes from "./results-filter.module.css";

export interface ResultsFilterProps {
  /** All lines of the batch, counted; null while that is not known. */
  readonly summary: ResultSummary | null;
  /** How many lines the filter leaves; null while that is not known. */
  readonly shown: number | null;
  /** All columns that there are. */
  readonly columns: readonly ResultColumn[];
  /** The columns that are folded into the row: they have one value in all rows. */
  readonly constants?: readonly ConstantColumn[];
  /** Shows such a column in the table. */
  readonly onUnfold?: (id: string) => void;
  /** How far columns are that the lines are chosen by; null while none is being read. */
  readonly progress: Preparation | null;
  readonly onStop: () => void;
  /** Shown at the end of the row. */
  readonly children?: ReactNode;
}

/** Narrows the lines to those with certain values. Its row is there from the start, so that none pushes the table. */
export function ResultsFilter(props: ResultsFilterProps) {
  const { summary, columns, constants = [], onUnfold, shown, progress, onStop, children } = props;
  const { batch, verified: verification, grading, filter, ignored, onFilter } = useResults();
  const { total } = batch.counts;
  const graded = grading.run?.summary;
  // Runs count their lines themselves.
  const counted: Partial<Readonly<Record<ColumnName, Readonly<Record<string, number>>>>> = {
    verdict: verification?.counts ?? {},
    form: verification?.form ?? {},
    grade: graded
      ? { pass: graded.passed, fail: graded.failed, no_answer: graded.noAnswer, no_expected: graded.noExpected }
      : {},
  };
  const countValues = (path: ColumnName): ReadonlyMap<string, number> => {
    const part = filterMemberOf(path);
    const found = (part && summary?.[part]) ?? [];
    return new Map(counted[path] ? Object.entries(counted[path]) : found.map(({ value, count }) => [value, count]));
  };
  const kinds = new Map(verification?.kinds.map(({ kind, count }) => [kind as string, count]));
  const conditions = filter.columns ?? [];
  const setConditions = (columns: readonly ColumnCondition[]) =>
    onFilter({ ...filter, columns: columns.length === 0 ? undefined : [...columns] });
  const kindFilter =
    kinds.size === 0 && filter.kinds === undefined ? null : (
      <FilterMenu
        name="Kind"
        chosen={filter.kinds}
        onChoose={(values) => onFilter({ ...filter, kinds: values })}
        options={findingKindSchema.options
          .filter((kind) => kinds.has(kind) || filter.kinds?.includes(kind))
          .map((value) => ({ value, word: nameKind(value), count: kinds.get(value) ?? 0 }))}
      />
    );
  /** The filters with a list of values: those that are set, or the others. */
  const listFilters = (isSet: boolean) =>
    filtered
      .filter(({ member }) => (filter[member] !== undefined) === isSet)
      .map(({ path, header, member }) => (
        <ColumnFilter
          key={path}
          path={path}
          name={header}
          counts={countValues(path)}
          chosen={filter[member]}
          onChoose={(values) => onFilter({ ...filter, [member]: values })}
        />
      ));
  const isKindSet = filter.kinds !== undefined;
  return (
    <div className={classes.root}>
      <div className={classes.chips}>
        <ConditionMenu
          batchId={batch.id}
          columns={columns}
          filters={
            <>
              {listFilters(false)}
              {isKindSet ? null : kindFilter}
            </>
          }
          filter={filter}
          onAdd={(condition) => setConditions([...conditions, condition])}
        />
        {listFilters(true)}
        {isKindSet ? kindFilter : null}
        {conditions.map((condition) => {
          const words = describeResultCondition(condition, columns);
          return (
            <WordsChip
              key={JSON.stringify(condition)}
              words={words}
              isSet
              clear={`Remove the filter: ${words}`}
              onClear={() => setConditions(conditions.filter((one) => one !== condition))}
            />
          );
        })}
        {constants.map(({ id, header, value }) => (
          <button
            key={id}
            type="button"
            className={classes.constant}
            title={`${header}: ${value} in all rows. Click to show the column.`}
            onClick={() => onUnfold?.(id)}
          >
            {header} <b dir="auto">{value}</b> in all rows
          </button>
        ))}
        {ignored.map((sentence) => (
          <WordsChip
            key={sentence}
            words={sentence}
            clear={`Dismiss: ${sentence}`}
            // The address then has nothing but this.
            onClear={() => onFilter(filter)}
          />
        ))}
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
            : `${progress === null ? "" : "At least "}${formatNumber(shown)} of ${formatCount(total, "line")}`}
      </output>
      {children}
    </div>
  );
}

interface WordsChipProps {
  readonly words: string;
  /** Whether it narrows the lines. */
  readonly isSet?: boolean;
  /** What its cross does. */
  readonly clear: string;
  readonly onClear: () => void;
}

function WordsChip({ words, isSet = false, clear, onClear }: WordsChipProps) {
  return (
    <span className={classes.chip} data-set={isSet || undefined}>
      <span className={classes.condition} title={words} dir="auto">
        {words}
      </span>
      <CloseButton size="sm" className={classes.clear} aria-label={clear} onClick={onClear} />
    </span>
  );
}

const wordsOfStep = { indexing: "Indexing the lines", reading: "Reading the column" } as const;

/** The columns with a filter of their own, in the order of these. */
const filtered = listColumnNames(["status", "error"]).flatMap((path) => {
  const member = filterMemberOf(path);
  return member === undefined ? [] : [{ path, header: resultColumns[path].header, member }];
});

interface ColumnFilterProps extends Pick<FilterMenuProps<string>, "name" | "chosen" | "onChoose"> {
  readonly path: string;
  /** How many lines have which value. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The filter of a column, as soon as there is a choice. */
function ColumnFilter({ path, counts, chosen, ...menu }: ColumnFilterProps) {
  if (counts.size < filterFromOf(path) && chosen === undefined) return null;
  const { values, wordOf, labelOf = wordOf } = lookOfColumn(path);
  const there = new Set([...counts.keys(), ...(chosen ?? [])]);
  const options = [...(values?.filter((value) => there.has(value)) ?? there)].map((value) => ({
    value,
    word: wordOf(value),
    label: labelOf(value),
    count: counts.get(value) ?? 0,
  }));
  return <FilterMenu {...menu} chosen={chosen} options={options} />;
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
  const words =
    chosen === undefined ? ["any"] : options.filter(({ value }) => chosen.includes(value)).map(({ word }) => word);
  const toggle = (value: Value) => {
    const others = chosen?.filter((one) => one !== value) ?? [];
    const next = chosen?.includes(value) ? others : [...others, value];
    onChoose(next.length === 0 ? undefined : next);
  };
  return (
    <div className={classes.chip} data-set={chosen !== undefined || undefined}>
      <Menu position="bottom-start" width={240} withinPortal={chosen !== undefined}>
        <Menu.Target>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            className={classes.target}
            title={`${name}: ${words.join(", ")}`}
            rightSection={chosen === undefined ? <IconChevronDown size={14} /> : null}
          >
            {name}: {words.join(", ")}
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
