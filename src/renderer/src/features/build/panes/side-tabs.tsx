import { Tabs } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Source } from "#contract";
import { useSession } from "../draft/draft-session.ts";
import { hasRows, NoPreview, RowPicker } from "../preview/preview-pane.tsx";

import { ProblemCount, Problems } from "../preview/problems.tsx";
import { RowPreview } from "../preview/row-preview.tsx";
import { Trial } from "../preview/trial.tsx";
import type { Check, VersionCheck } from "../preview/use-checks.ts";
import { SourceBody } from "../source/source-pane.tsx";
import panes from "./panes.module.css";

interface SideTabsProps {
  readonly source: Source | null;
  /** Of the version that is looked at. */
  readonly check: Check;
  readonly checks: readonly VersionCheck[];
  readonly acceptFiles: (files: readonly File[]) => void;
}

/** Source, preview and problems behind tabs, for windows in which only two columns fit. */
export function SideTabs({ source, check, checks, acceptFiles }: SideTabsProps) {
  const { showRow, upload } = useSession();
  const [tab, setTab] = useState<string | null>("source");
  // A file that is dropped is shown on its way in, and why it can't be read.
  useEffect(
    () =>
      upload.state.subscribe((now, before) => {
        if (now.status !== before.status && now.status !== "idle") setTab("source");
      }),
    [upload],
  );
  const previewRow = (row: number) => {
    showRow(row);
    setTab("preview");
  };
  return (
    <Tabs
      value={tab}
      onChange={setTab}
      className={panes.pane}
      classNames={{ tab: panes.tab, panel: panes.tabPanel }}
      style={{ gridArea: "source" }}
      keepMounted={false}
    >
      <header className={panes.tabsHead}>
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
          <SourceBody acceptFiles={acceptFiles} check={check.latest} />
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="preview">
        <div className={panes.fixedTab}>
          {hasRows(source) ? (
            <>
              <Trial source={source} checks={checks} />
              <RowPicker source={source} />
              <RowPreview source={source} />
            </>
          ) : (
            <NoPreview source={source} />
          )}
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="problems">
        <div className={panes.scrollingTab}>
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
