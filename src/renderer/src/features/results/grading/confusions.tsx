import { useState } from "react";
import { foldText, type LabelConfusion, type LabelTable, labelPaths, type ResultFilter } from "#contract";
import {
  CutName,
  type FigureColumn,
  FigureTable,
  formatCount,
  formatNumber,
  SearchField,
} from "../../../components/index.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { useResults } from "../results-context.tsx";
import classes from "./grades-tab.module.css";

/** The lines of a pair of labels; a given one that is null is any other text. */
export function confusionFilter({ expected, given }: Pick<LabelConfusion, "expected" | "given">): ResultFilter {
  return {
    columns: [
      { path: labelPaths.expected, op: "equals", value: expected },
      given === null ? { path: labelPaths.given, op: "empty" } : { path: labelPaths.given, op: "equals", value: given },
    ],
  };
}

export interface ConfusionsProps {
  readonly table: LabelTable;
  /** Those of the table, the most frequent first. */
  readonly confusions: readonly LabelConfusion[];
  /** Null where rows lead nowhere. */
  readonly selected: LabelConfusion | null;
  readonly onSelect: (confusion: LabelConfusion) => void;
}

/** Pairs that are listed: more are found by their labels. */
const mostListed = 20;

/** The labels that were expected but not given, with what was given instead. A row chooses the pair whose lines are shown beside. */
export function Confusions({ table, confusions, selected, onSelect }: ConfusionsProps) {
  const { batch } = useResults();
  const [search, setSearch] = useState("");
  const none = table.areLists ? "nothing" : "another text";
  const wanted = foldText(search.trim());
  const found = confusions.filter(({ expected, given }) =>
    [expected, given ?? none].some((label) => foldText(label).includes(wanted)),
  );
  const shown = found.slice(0, mostListed);
  const rest = found.slice(mostListed);
  const largest = confusions[0]?.count ?? 1;
  const wrong = confusions.reduce((sum, { count }) => sum + count, 0);
  const columns: readonly FigureColumn<LabelConfusion>[] = [
    {
      id: "expected",
      header: "Expected",
      grows: true,
      sortBy: ({ expected }) => expected,
      render: ({ expected }) => <CutName name={expected} />,
    },
    {
      id: "given",
      header: "Given",
      grows: true,
      sortBy: ({ given }) => given ?? none,
      render: ({ given }) => (
        <span className={classes.given}>
          <span aria-hidden>→</span>
          {given === null ? <i>{none}</i> : <CutName name={given} />}
        </span>
      ),
    },
    {
      id: "bar",
      header: "Bar",
      head: "",
      hideBelow: 560,
      render: ({ count }) => (
        <span className={classes.bar} aria-hidden>
          <i style={{ width: `${(count / largest) * 100}%` }} />
        </span>
      ),
    },
    {
      id: "rows",
      header: "Rows",
      align: "end",
      sortBy: ({ count }) => count,
      render: ({ count }) => formatNumber(count),
    },
  ];
  return (
    <ChartCard
      title="Confusions"
      fileName={`${batch.name}-confusions`}
      table={() => [
        ["expected", "given", "lines"],
        ...confusions.map(({ expected, given, count }) => [expected, given, count]),
      ]}
      onPicture={null}
      isFlush
      beside={
        <>
          <span className={classes.soft}>
            {formatCount(confusions.length, "pair")}, {formatCount(wrong, "wrong answer")}
          </span>
          {confusions.length > mostListed ? (
            <SearchField
              ref={null}
              className={classes.search}
              label="Search labels"
              placeholder="Label"
              value={search}
              onChange={(text = "") => setSearch(text)}
              onLeave={() => {}}
            />
          ) : null}
        </>
      }
    >
      <FigureTable
        label="Expected but not given, and given instead"
        columns={columns}
        rows={shown}
        keyOf={({ expected, given }) => JSON.stringify([expected, given])}
        firstSort={{ column: "rows", order: "desc" }}
        isSelected={(one) => one === selected}
        onOpen={(one) =>
          selected === null
            ? undefined
            : { name: `Rows of ${one.expected}, given ${one.given ?? none}`, open: () => onSelect(one) }
        }
      />
      {found.length > 0 ? null : <p className={classes.rest}>No pair has such a label.</p>}
      {rest.length === 0 ? null : (
        <p className={classes.rest}>
          others ({formatCount(rest.length, "pair")}): {formatNumber(rest.reduce((sum, { count }) => sum + count, 0))}
        </p>
      )}
    </ChartCard>
  );
}
