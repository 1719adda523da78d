import { IconEraser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useApi } from "../../bridge/index.ts";
import { IconAction } from "../../components/index.ts";
import { describeCounts, describeResult } from "./describe-result.ts";
import { exampleTexts } from "./example.ts";
import { History } from "./history.tsx";
import type { ActiveClaim } from "./marked-editor.tsx";
import { replaceTexts } from "./open-verification.tsx";
import { createVerifyQueries } from "./queries.ts";
import { ResultPane } from "./result-pane.tsx";
import { RunBar } from "./run-bar.tsx";
import { areBlank, noTexts } from "./texts.ts";
import { TextsForm } from "./texts-form.tsx";
import { useVerification } from "./use-verification.ts";
import { useVerifyShortcuts } from "./use-verify-shortcuts.ts";
import { keepDraft, useVerifyDraft } from "./verify-draft.ts";
import classes from "./verify-page.module.css";

export interface VerifyPageProps {
  readonly onOpenServer: () => void;
}

/** Where one response is checked against its prompt and a document. */
export function VerifyPage({ onOpenServer }: VerifyPageProps) {
  const root = useRef<HTMLDivElement>(null);
  const verifying = useVerification();
  const verification = useShownVerification();
  const { active, pick } = useActiveClaim(verification?.id ?? null);
  useEffect(() => {
    const stop = new AbortController();
    window.addEventListener("pagehide", keepDraft, { signal: stop.signal });
    document.addEventListener("visibilitychange", keepDraft, { signal: stop.signal });
    return () => {
      stop.abort();
      keepDraft();
    };
  }, []);
  useVerifyShortcuts(root, {
    verify: verifying.start,
    goToClaims: () => root.current?.querySelector<HTMLElement>('ol button[tabindex="0"]')?.focus(),
  });

  const tryExample = () => {
    replaceTexts(exampleTexts, verification, null);
    verifying.start();
  };
  const hasTexts = useVerifyDraft((state) => !areBlank(state.texts));

  return (
    <div ref={root} className={classes.root}>
      <div className={classes.form}>
        <header className={classes.head}>
          <h1 className={classes.title}>Verify</h1>
          {hasTexts ? (
            <IconAction
              label="Empty the fields"
              icon={IconEraser}
              onClick={() => replaceTexts(noTexts, verification, null)}
            />
          ) : null}
        </header>
        <TextsForm verification={verification} active={active} onPoint={(claim) => pick(claim, "texts")} />
        <RunBar {...verifying} />
        <History />
      </div>
      <ResultPane
        verification={verification}
        run={verifying.run}
        active={active}
        onActive={pick}
        onRetry={verifying.start}
        onTryExample={tryExample}
        onOpenServer={onOpenServer}
      />
      <div className={classes.said} role="status">
        {verification === null || verifying.run.status === "running"
          ? ""
          : `${describeResult(verification).words}. ${describeCounts(verification.result.claims)}`}
      </div>
    </div>
  );
}

/** The verification whose result is on screen; null while there is none, or none any more. */
function useShownVerification() {
  const shownId = useVerifyDraft((state) => state.shownId);
  const { data } = useQuery(createVerifyQueries(useApi()).verification(shownId));
  return shownId === null ? null : (data ?? null);
}

/** The claim that is brought out: the one under the pointer, else the one that was chosen last. */
function useActiveClaim(verificationId: string | null) {
  const [hovered, setHovered] = useState<ActiveClaim | null>(null);
  const [chosen, setChosen] = useState<ActiveClaim | null>(null);
  const [shownId, setShownId] = useState(verificationId);
  if (shownId !== verificationId) {
    setShownId(verificationId);
    setHovered(null);
    setChosen(null);
  }
  const pick = useCallback((index: number | null, by: "pointer" | "focus" | "texts") => {
    const claim = index === null ? null : ({ index, from: by === "texts" ? "texts" : "list" } as const);
    if (by === "focus") setChosen(claim);
    setHovered((before) => (by === "focus" ? null : before?.index === index ? before : claim));
  }, []);
  return { active: hovered ?? chosen, pick };
}
