import { Skeleton } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconX } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import { useShortcuts } from "../state/shortcuts.ts";
import { Boundary } from "./boundary.tsx";
import { CopyButton } from "./copy-button.tsx";
import { IconAction } from "./icon-action.tsx";
import classes from "./inspector-frame.module.css";
import { scrollable } from "./keyboard.ts";

export interface InspectorHeadProps {
  /** What is inspected: it heads the keys in the list of shortcuts. */
  readonly of: "Line" | "Request" | "File";
  readonly title: ReactNode;
  /** Its id, and the label of the button that copies it. */
  readonly id?: { readonly value: string; readonly copy: string };
  /** Open the one before and the one after; null where there is none, left out where there is no order. */
  readonly onPrevious?: (() => void) | null;
  readonly onNext?: (() => void) | null;
  readonly onClose: () => void;
  /** Below the title: the views to choose from. */
  readonly children?: ReactNode;
}

/** The head of an inspector: what is inspected, the ways to its neighbours, and the way out, by button and key. */
export function InspectorHead({ of, title, id, onPrevious, onNext, onClose, children }: InspectorHeadProps) {
  const ways = [
    { keys: "k", label: `Previous ${of.toLowerCase()}`, icon: IconChevronUp, go: onPrevious },
    { keys: "j", label: `Next ${of.toLowerCase()}`, icon: IconChevronDown, go: onNext },
  ].filter(({ go }) => go !== undefined);
  useShortcuts(of, [
    ...ways.map(({ keys, label, go }) => ({ keys, label, run: () => go?.() })),
    { keys: "Escape", label: "Close the inspector", run: onClose },
  ]);
  return (
    <header className={classes.head}>
      <div className={classes.bar}>
        <h2 className={classes.title} dir="auto">
          {title}
        </h2>
        {id === undefined ? null : (
          <>
            <code className={classes.id} title={id.value}>
              {id.value}
            </code>
            <CopyButton compact label={id.copy} value={id.value} />
          </>
        )}
        <div className={classes.ways}>
          {ways.map(({ keys, label, icon, go }) => (
            <IconAction
              key={keys}
              label={`${label} (${keys.toUpperCase()})`}
              icon={icon}
              isOff={go === null}
              onClick={() => go?.()}
            />
          ))}
          <IconAction label="Close (Esc)" icon={IconX} onClick={onClose} />
        </div>
      </div>
      {children === undefined ? null : <div className={classes.views}>{children}</div>}
    </header>
  );
}

export interface InspectorBodyProps {
  /** While what is shown is still the one before. */
  readonly isOld?: boolean;
  /** Its parts scroll each on its own, so that all are in view. */
  readonly isSplit?: boolean;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

/** The content about the inspected thing, below the head. It scrolls. */
export function InspectorBody({ isOld = false, isSplit = false, ref, children }: InspectorBodyProps) {
  return (
    <div
      ref={ref}
      className={classes.body}
      {...scrollable}
      data-old={isOld || undefined}
      data-split={isSplit || undefined}
    >
      <Boundary title="This could not be shown">{children}</Boundary>
    </div>
  );
}

/** Placeholder for a line that is being read. */
export function PendingLine() {
  return (
    <div role="status" aria-label="The line is being read">
      <Skeleton height={12} width={60} mt={4} />
      <Skeleton height={12} mt={14} />
      <Skeleton height={12} mt={8} />
      <Skeleton height={12} width="60%" mt={8} />
    </div>
  );
}
