import type { Source } from "#contract";
import { useSession } from "../draft/session-context.ts";
import panes from "../panes/pane.module.css";
import { hasRows, NoPreview } from "./no-preview.tsx";
import classes from "./preview-pane.module.css";
import { ProblemCount } from "./problem-count.tsx";
import { Problems } from "./problems.tsx";
import { RowPicker } from "./row-picker.tsx";
import { RowPreview } from "./row-preview.tsx";
import type { Check } from "./use-check.ts";

interface PreviewPaneProps {
  readonly source: Source | null;
  readonly check: Check;
}

/** What will be sent: the request of one row, and below it the problems of them all. */
export function PreviewPane({ source, check }: PreviewPaneProps) {
  const { showRow } = useSession();
  return (
    <section className={panes.pane} style={{ gridArea: "preview" }} aria-labelledby="build-preview">
      <header className={panes.head}>
        <h2 id="build-preview">Preview</h2>
        <span className={panes.spacer} />
        {hasRows(source) ? <RowPicker source={source} /> : null}
      </header>
      {hasRows(source) ? (
        <>
          <div className={classes.request}>
            <RowPreview source={source} />
          </div>
          <section className={classes.problems} aria-labelledby="build-problems">
            <header className={panes.head}>
              <h2 id="build-problems">Problems</h2>
              <ProblemCount check={check} />
            </header>
            <div className={classes.problemsBody}>
              <Problems source={source} check={check} onShowRow={showRow} />
            </div>
          </section>
        </>
      ) : (
        <div className={panes.body}>
          <NoPreview source={source} />
        </div>
      )}
    </section>
  );
}
