import { Tabs } from "@mantine/core";
import type { Source } from "#contract";
import { formatNumber } from "../../../components/index.ts";
import panes from "../panes/pane.module.css";
import classes from "./preview-pane.module.css";
import { Problems } from "./problems.tsx";
import { RowPicker } from "./row-picker.tsx";
import { RowPreview } from "./row-preview.tsx";
import type { Check } from "./use-check.ts";

interface PreviewPaneProps {
  readonly source: Source | null;
  readonly check: Check;
  /** Preview and problems behind tabs, where there is no room for one above the other. */
  readonly inTabs: boolean;
}

/** What will be sent: the request of one row, and the problems of them all. */
export function PreviewPane({ source, check, inTabs }: PreviewPaneProps) {
  const count = (check.latest?.errorCount ?? 0) + (check.latest?.warningCount ?? 0);
  if (source === null) {
    return (
      <section className={panes.pane} style={{ gridArea: "preview" }} aria-labelledby="build-preview">
        <header className={panes.head}>
          <h2 id="build-preview">Preview</h2>
        </header>
        <p className={classes.none}>The request of each row shows here as soon as there is a source.</p>
      </section>
    );
  }
  if (inTabs) {
    return (
      <Tabs
        defaultValue="preview"
        className={panes.pane}
        style={{ gridArea: "preview" }}
        classNames={{ panel: classes.tab }}
      >
        <header className={classes.tabHead}>
          <Tabs.List aria-label="Preview and problems">
            <Tabs.Tab value="preview">Preview</Tabs.Tab>
            <Tabs.Tab value="problems" rightSection={<ProblemCount check={check} count={count} />}>
              Problems
            </Tabs.Tab>
          </Tabs.List>
          <span className={panes.spacer} />
          <RowPicker rowCount={source.rowCount} unit={source.holds === "rows" ? "Row" : "Line"} />
        </header>
        <Tabs.Panel value="preview">
          <RowPreview source={source} />
        </Tabs.Panel>
        <Tabs.Panel value="problems">
          <Problems source={source} check={check} />
        </Tabs.Panel>
      </Tabs>
    );
  }
  return (
    <section className={panes.pane} style={{ gridArea: "preview" }} aria-labelledby="build-preview">
      <header className={panes.head}>
        <h2 id="build-preview">Preview</h2>
        <span className={panes.spacer} />
        <RowPicker rowCount={source.rowCount} unit={source.holds === "rows" ? "Row" : "Line"} />
      </header>
      <div className={classes.request}>
        <RowPreview source={source} />
      </div>
      <section className={classes.problems} aria-labelledby="build-problems">
        <header className={panes.head}>
          <h2 id="build-problems">Problems</h2>
          <ProblemCount check={check} count={count} />
        </header>
        <div className={panes.body}>
          <Problems source={source} check={check} />
        </div>
      </section>
    </section>
  );
}

function ProblemCount({ check, count }: { readonly check: Check; readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.count} data-severity={(check.latest?.errorCount ?? 0) > 0 ? "error" : "warning"}>
      {formatNumber(count)}
    </span>
  );
}
