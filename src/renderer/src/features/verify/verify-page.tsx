import { Title, VisuallyHidden } from "@mantine/core";
import { IconEraser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Verification } from "#contract";
import { useApi } from "../../bridge/index.ts";
import { announceVerdict, IconAction } from "../../components/index.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { History } from "./history.tsx";
import type { ActiveClaim } from "./marked-editor.tsx";
import { replaceTexts } from "./replace-texts.tsx";
import { ResultPane } from "./result-pane.tsx";
import { RunBar } from "./run-bar.tsx";
import { areBlank, exampleTexts, noTexts } from "./texts.ts";
import { TextsForm } from "./texts-form.tsx";
import { createVerifyQueries, useVerification } from "./use-verification.ts";
import { useVerifyDraft } from "./verify-draft.ts";
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
          <Title>Verify</Title>
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
      <VisuallyHidden role="status">
        {verification === null || verifying.run.status === "running" ? "" : announce(verification)}
      </VisuallyHidden>
    </div>
  );
}

/** Announces the result to screen readers when it arrives. */
function announce({ result, isEarlier }: Verification): string {
  return isEarlier ? "Made by an earlier version" : announceVerdict(result.counts);
}

/** The verification whose result is on screen; null while there is none, or none any more. */
function useShownVerification() {
  const shownId = useVerifyDraft((state) => state.shownId);
  const { data } = useQuery(createVerifyQueries(useApi()).verification(shownId));
  return shownId === null ? null : (data ?? null);
}

/** The claim that is highlighted: the one under the pointer, else the one that was chosen last. */
function useActiveClaim(verificationId: string | null) {
  const [hovered, setHovered] = useState<PickedClaim | null>(null);
  const [chosen, setChosen] = useState<PickedClaim | null>(null);
  const pick = useCallback(
    (index: number | null, by: "pointer" | "focus" | "texts") => {
      const claim =
        index === null ? null : ({ index, from: by === "texts" ? "texts" : "list", verificationId } as const);
      if (by === "focus") setChosen(claim);
      setHovered((before) => (by === "focus" ? null : before?.index === index ? before : claim));
    },
    [verificationId],
  );
  // A claim of another verification is none of this one.
  const active = [hovered, chosen].find((claim) => claim?.verificationId === verificationId) ?? null;
  return { active, pick };
}

interface PickedClaim extends ActiveClaim {
  readonly verificationId: string | null;
}

interface VerifyCommands {
  readonly verify: () => void;
  readonly goToClaims: () => void;
}

const shortcuts = [
  { keys: "mod+Enter", label: "Verify" },
  { keys: "mod+shift+Enter", label: "Go to the claims" },
  { keys: "ArrowDown", label: "Next claim" },
  { keys: "ArrowUp", label: "Previous claim" },
];

/** The keys of Verify, which also work while text is being typed. */
function useVerifyShortcuts(root: RefObject<HTMLElement | null>, commands: VerifyCommands): void {
  useShortcuts("Verify", shortcuts);
  const run = useEffectEvent((name: keyof VerifyCommands) => commands[name]());
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isMain = navigator.userAgent.includes("Mac") ? event.metaKey : event.ctrlKey;
      const page = root.current;
      const isHere = page !== null && event.target instanceof Node && isInOrAround(event.target, page);
      if (event.key !== "Enter" || !isMain || event.altKey || !isHere) return;
      event.preventDefault();
      event.stopPropagation();
      run(event.shiftKey ? "goToClaims" : "verify");
    };
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, [root]);
}

/** In Verify, or on what contains it, which has the focus while no control has it. */
function isInOrAround(target: Node, root: HTMLElement): boolean {
  return root.contains(target) || target.contains(root);
}
