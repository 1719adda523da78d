import { Tabs } from "@mantine/core";
import { useState } from "react";
import type { Source } from "#contract";
import { useSession } from "../draft/session-context.ts";
import { hasRows, NoPreview } from "../preview/no-preview.tsx";
import { ProblemCount } from "../preview/problem-count.tsx";
import { Problems } from "../preview/problems.tsx";
import { RowPicker } from "../preview/row-picker.tsx";
import { RowPreview } from "../preview/row-preview.tsx";
import type { Check } from "../preview/use-check.ts";
import { SourceBody } from "../source/source-pane.tsx";
import panes from "./pane.module.css";
import classes from "./side-tabs.module.css";

interface SideTabsProps {
  readonly source: Source | null;
  readonly check: Check;
  readonly takeFile: (files: readonly File[]) => void;
}

/** Source, preview and problems in one place, for windows in which only two columns fit. */
export function SideTabs({ source, check, takeFile }: SideTabsProps) {
  const { showRow } = useSession();
  const [tab, setTab] = useState<string | null>("source");
  const previewRow = (row: number) => {
    showRow(row);
    setTab("preview");
  };
  return (
    <Tabs
      value={tab}
      onChange={setTab}
      className={panes.pane}
      classNames={{ tab: classes.tab, panel: classes.panel }}
      style={{ gridArea: "source" }}
      keepMounted={false}
    >
      <header className={classes.head}>
        <Tabs.List aria-label="Source, preview and problems">
          <Tabs.Tab value="source">Source</Tabs.Tab>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
          <Tabs.Tab value="problems" rightSection={<ProblemCount check={check} />}>
            Problems
          </Tabs.Tab>
        </Tabs.List>
      </header>
      <Tabs.Panel value="source">
        <div className={panes.pane}>
          <SourceBody takeFile={takeFile} />
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="preview">
        <div className={classes.fixed}>
          {hasRows(source) ? (
            <>
              <RowPicker source={source} />
              <RowPreview source={source} />
            </>
          ) : (
            <NoPreview source={source} />
          )}
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="problems">
        <div className={classes.scroll}>
          {hasRows(source) ? (
            <Problems source={source} check={check} onShowRow={previewRow} />
          ) : (
            <NoPreview source={source} />
          )}
        </div>
      </Tabs.Panel>
    </Tabs>
  );
}
