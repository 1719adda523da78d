import { useDocumentTitle } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef } from "react";
import { InspectorPanel, type InspectorPanelProps } from "./inspector-panel.tsx";
import classes from "./place.module.css";

export interface PlaceProps {
  /** For the window's title and screen readers. */
  readonly title: string;
  readonly children?: ReactNode;
  /** What stands to the right; null while nothing is inspected. */
  readonly inspector?: InspectorPanelProps | null;
}

/** One place of the app below the top bar, with room for an inspector on its right. */
export function Place({ title, children, inspector = null }: PlaceProps) {
  useDocumentTitle(`${title} – Sheaf`);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    // Whoever came by a link of the rail goes on here: the place's keys are not meant for that link.
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
