import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { clampInspectorWidth, inspectorWidths, useFrame } from "../../state/index.ts";
import classes from "./inspector-panel.module.css";

export interface InspectorPanelProps {
  /** What is inspected, for screen readers: "Line 7". */
  readonly label: string;
  readonly children: ReactNode;
}

const step = 16;

/**
 * The panel on the right of a place. Its left edge is a splitter for pointer and keyboard; the width is kept.
 * In a narrow window it lies over the place (inspector-panel.module.css).
 */
export function InspectorPanel({ label, children }: InspectorPanelProps) {
  const width = useFrame((state) => state.inspectorWidth);
  const setWidth = useFrame((state) => state.setInspectorWidth);
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
    <aside ref={panel} className={classes.root} style={{ width: clampInspectorWidth(width) }} aria-label={label}>
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
