import { useDocumentTitle } from "@mantine/hooks";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from "react";
import classes from "./page.module.css";
import { clampInspectorWidth, inspectorWidths, useShell } from "./shell-state.ts";

interface PageProps {
  /** For the window's title and screen readers. */
  readonly title: string;
  readonly children?: ReactNode;
  /** What stands to the right; null while nothing is inspected. */
  readonly inspector?: InspectorPanelProps | null;
}

/** One page of the app below the top bar, with room for an inspector on its right. */
export function Page({ title, children, inspector = null }: PageProps) {
  useDocumentTitle(`${title} – Sheaf`);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    // Whoever came by a link of the rail goes on here: the page's keys are not meant for that link.
    if (document.activeElement?.closest("nav")) main.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={classes.root}>
      <main ref={main} className={classes.main} id="main" tabIndex={-1} aria-label={title}>
        {children}
      </main>
      {inspector ? <InspectorPanel {...inspector} /> : null}
    </div>
  );
}

interface InspectorPanelProps {
  /** What is inspected, for screen readers: "Line 7". */
  readonly label: string;
  readonly children: ReactNode;
}

const step = 16;

/**
 * The panel on the right of a page. Its left edge is a splitter for pointer and keyboard; the width is remembered.
 * In a narrow window it lies over the page.
 */
function InspectorPanel({ label, children }: InspectorPanelProps) {
  const width = useShell((state) => state.inspectorWidth);
  const setWidth = useShell((state) => state.setInspectorWidth);
  const panel = useRef<HTMLElement>(null);

  const drag = (event: PointerEvent<HTMLHRElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId) && panel.current) {
      setWidth(panel.current.getBoundingClientRect().right - event.clientX);
    }
  };
  const press = (event: KeyboardEvent<HTMLHRElement>) => {
    const widths: Partial<Record<string, number>> = {
      ArrowLeft: width + step,
      ArrowRight: width - step,
      Home: inspectorWidths.most,
      End: inspectorWidths.least,
      Enter: inspectorWidths.usual,
    };
    const wanted = widths[event.key];
    if (wanted !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      setWidth(wanted);
    }
  };

  return (
    <aside ref={panel} className={classes.inspector} style={{ width: clampInspectorWidth(width) }} aria-label={label}>
      <hr
        className={classes.handle}
        tabIndex={0}
        aria-label="Width of the inspector"
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={inspectorWidths.least}
        aria-valuemax={inspectorWidths.most}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={drag}
        onDoubleClick={() => setWidth(inspectorWidths.usual)}
        onKeyDown={press}
      />
      {children}
    </aside>
  );
}
