import { useDocumentTitle, useSplitter } from "@mantine/hooks";
import type { ComponentProps, ReactNode } from "react";
import { Boundary } from "../../components/index.ts";
import { useFocusOnOpen } from "./focus-page.ts";
import classes from "./page.module.css";
import { clampInspectorWidth, inspectorWidths, useShell } from "./shell-state.ts";

interface PageProps {
  /** For the window's title and screen readers. */
  readonly title: string;
  readonly children?: ReactNode;
  /** The right-hand panel; null while nothing is inspected. */
  readonly inspector?: Inspector | null;
}

interface Inspector {
  /** What is inspected, for screen readers: "Line 7". */
  readonly label: string;
  readonly children: ReactNode;
}

/**
 * One page of the app below the top bar, with room for an inspector on its right. The edge between the two is moved with
 * the pointer or the keyboard, and remembered. In a narrow window the inspector lies over the page.
 */
export function Page({ title, children, inspector = null }: PageProps) {
  useDocumentTitle(`${title} – Sheaf`);
  const splitter = useInspectorSplitter();
  useFocusOnOpen();
  return (
    <div ref={splitter.ref} className={classes.root}>
      <main className={classes.main} id="main" tabIndex={-1} aria-label={title}>
        {children}
      </main>
      {inspector ? (
        <aside className={classes.inspector} style={{ width: splitter.width }} aria-label={inspector.label}>
          <hr className={classes.handle} aria-label="Width of the inspector" {...splitter.handle} />
          <Boundary title="The inspector could not be shown">{inspector.children}</Boundary>
        </aside>
      ) : null}
    </div>
  );
}

/** How wide the inspector is, and what moves its edge. */
function useInspectorSplitter() {
  const { least, usual, most } = inspectorWidths;
  const width = useShell((state) => clampInspectorWidth(state.inspectorWidth));
  const setWidth = useShell((state) => state.setInspectorWidth);
  const { ref, getHandleProps } = useSplitter<HTMLDivElement>({
    panels: [{ defaultSize: 100 }, { defaultSize: `${usual}px`, min: `${least}px`, max: `${most}px` }],
    sizes: [100, `${width}px`],
    onSizeChange: ([, size = ""]) => setWidth(Number.parseFloat(String(size))),
    step: "16px",
    resetOnDoubleClick: false,
  });
  const { onKeyDown, ...props } = getHandleProps({ index: 0 });
  const reset = () => setWidth(usual);
  const handle: ComponentProps<"hr"> = {
    ...props,
    "aria-orientation": "vertical",
    "aria-valuenow": width,
    "aria-valuemin": least,
    "aria-valuemax": most,
    onDoubleClick: reset,
    onKeyDown(event) {
      if (event.key === "Enter") reset();
      else onKeyDown(event);
      // What moves the edge is not meant for the table.
      if (event.defaultPrevented || event.key === "Enter") event.stopPropagation();
    },
  };
  return { ref, width, handle };
}
