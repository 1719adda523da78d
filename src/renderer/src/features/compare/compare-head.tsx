import { Button, CloseButton, Menu, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type BatchView, mostCompared } from "#contract";
import { CutName, letterOf, SideLetter } from "../../components/index.ts";
import { AddBatch } from "./add-batch.tsx";
import classes from "./compare.module.css";
import { baselineFirst } from "./compare-columns.tsx";
import { baselineOf, type CompareSearch, comparisonFilterOf, waitingIdsOf } from "./search-params.ts";
import { namesOf } from "./side-names.ts";
import { useExportComparison } from "./use-export-comparison.ts";

interface CompareHeadProps {
  readonly batches: readonly BatchView[];
  readonly ids: readonly string[];
  /** What all of their names begin with, and the rest of each. */
  readonly start: string;
  readonly names: readonly string[];
  readonly search: CompareSearch;
  readonly onSearch: (change: Partial<CompareSearch>) => void;
  readonly onOpenBatch: (batchId: string) => void;
}

/** The title, and a chip for each batch: its letter makes it the baseline, its name opens it. */
export function CompareHead(props: CompareHeadProps) {
  const { batches, ids, start, names, search, onSearch, onOpenBatch } = props;
  const wholeNames = namesOf(ids, batches);
  const waiting = waitingIdsOf(search);
  const baseline = baselineOf(search, ids);
  const choose = (next: readonly string[], from = baseline) =>
    onSearch({
      ids: next.join(","),
      baseline: Math.max(0, next.indexOf(ids[from] ?? "")) || undefined,
      winner: undefined,
      loser: undefined,
      line: undefined,
      show: undefined,
    });
  return (
    <header className={classes.head}>
      <div className={classes.titleLine}>
        <Title>Compare</Title>
        {start === "" ? null : (
          <span className={classes.start} dir="auto" title={start}>
            {start} …
          </span>
        )}
        {ids.length < 2 ? null : <ExportButton ids={ids} search={search} />}
      </div>
      <div className={classes.chips}>
        {(ids.length === 0 ? [] : baselineFirst(ids, baseline)).map((place) => {
          const isBaseline = place === baseline && ids.length > 1;
          const name = wholeNames[place] ?? "";
          return (
            <span
              key={ids[place]}
              className={classes.chip}
              data-side={letterOf(place)}
              data-baseline={isBaseline || undefined}
            >
              <button
                type="button"
                className={classes.chipLetter}
                aria-label={isBaseline ? `${letterOf(place)} is the baseline` : `Make ${letterOf(place)} the baseline`}
                title={isBaseline ? "The baseline: the others are compared with it" : "Make it the baseline"}
                aria-pressed={isBaseline}
                onClick={() => onSearch({ baseline: place === 0 ? undefined : place })}
              >
                <SideLetter side={place} isMarked={isBaseline} />
              </button>
              <button
                type="button"
                className={classes.chipName}
                aria-label={name}
                onClick={() => onOpenBatch(ids[place] ?? "")}
                title={name}
              >
                <CutName name={names[place] ?? ""} title={name} />
              </button>
              {isBaseline ? <small>baseline</small> : null}
              <CloseButton
                size="sm"
                aria-label={`Leave out ${name}`}
                onClick={() => choose([...ids, ...waiting].filter((one) => one !== ids[place]))}
              />
            </span>
          );
        })}
        {ids.length < mostCompared ? (
          <AddBatch batches={batches} ids={ids} onAdd={(id) => choose([...ids, id])} isFirst={ids.length < 2} />
        ) : null}
        {waiting.length === 0 ? null : (
          <p className={classes.waiting}>
            Only the first {mostCompared} of {ids.length + waiting.length} are compared. Remove one to add the next.
          </p>
        )}
      </div>
    </header>
  );
}

function ExportButton({ ids, search }: { readonly ids: readonly string[]; readonly search: CompareSearch }) {
  const exporting = useExportComparison();
  const begin = (format: "csv" | "xlsx") =>
    exporting.begin({ ids: [...ids], by: search.by, filter: comparisonFilterOf(search), format });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          className={classes.export}
          leftSection={<IconDownload size={15} />}
          loading={exporting.isPending}
          title="Export the shown lines"
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => begin("csv")}>CSV</Menu.Item>
        <Menu.Item onClick={() => begin("xlsx")}>Excel workbook</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
