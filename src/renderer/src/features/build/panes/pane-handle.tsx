import type { KeyboardEvent, PointerEvent } from "react";
import classes from "./pane-handle.module.css";

export interface PaneHandleProps {
  readonly label: string;
  /** The side of its pane on which the handle is. */
  readonly side: "left" | "right";
  /** Of the pane, in CSS pixels. */
  readonly width: number;
  readonly onResize: (width: number) => void;
  readonly onReset: () => void;
}

const step = 16;

/** The edge between two panes: dragged, moved with the arrow keys, put back by a double click. */
export function PaneHandle({ label, side, width, onResize, onReset }: PaneHandleProps) {
  const outward = side === "right" ? 1 : -1;
  const drag = (event: PointerEvent<HTMLHRElement>) => {
    const panes = event.currentTarget.parentElement?.getBoundingClientRect();
    if (panes === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onResize(side === "right" ? event.clientX - panes.left : panes.right - event.clientX);
  };
  const press = (event: KeyboardEvent<HTMLHRElement>) => {
    const by = { ArrowLeft: -outward * step, ArrowRight: outward * step }[event.key];
    if (by === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (by === undefined) onReset();
    else onResize(width + by);
  };
  return (
    <hr
      className={classes.handle}
      data-side={side}
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onDoubleClick={onReset}
      onKeyDown={press}
    />
  );
}
