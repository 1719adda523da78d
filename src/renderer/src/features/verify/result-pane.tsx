import { Button, SegmentedControl, Skeleton } from "@mantine/core";
import { IconPencil, IconShieldCheck } from "@tabler/icons-react";
import type { Verification } from "#contract";
import { describeError } from "../../bridge/index.ts";
import {
  ClaimList,
  EmptyState,
  ErrorCard,
  formatTimeLeft,
  nameJudge,
  ResponseCounts,
  useNow,
} from "../../components/index.ts";
import { ConnectionCard } from "./connection-card.tsx";
import { describeRun, explainResult } from "./describe-result.ts";
import type { ActiveClaim } from "./marked-editor.tsx";
import { RawView } from "./raw-view.tsx";
import classes from "./result-pane.module.css";
import { areSame, toTexts } from "./texts.ts";
import { useNotReady } from "./use-verification.ts";
import { useVerifyDraft } from "./verify-draft.ts";
import type { VerifyRunState } from "./verify-run.ts";

export interface ResultPaneProps {
  readonly verification: Verification | null;
  readonly run: VerifyRunState;
  readonly active: ActiveClaim | null;
  readonly onActive: (claim: number | null, by: "pointer" | "focus") => void;
  readonly onRetry: () => void;
  readonly onTryExample: () => void;
  readonly onOpenServer: () => void;
}

const views = [
  { value: "claims", label: "Claims" },
  { value: "raw", label: "Raw" },
] as const;

/** What a verification came to: the verdict, then the claims, or the call and the answer as they are on the wire. */
export function ResultPane(props: ResultPaneProps) {
  const { verification, run, onRetry } = props;
  const view = useVerifyDraft((state) => state.view);
  const setView = useVerifyDraft((state) => state.setView);
  const isRunning = run.status === "running";
  return (
    <section className={classes.root} aria-label="Result" aria-busy={isRunning}>
      <div className={classes.head}>
        {verification === null ? null : <Headline verification={verification} />}
        <SegmentedControl size="xs" aria-label="Show" data={[...views]} value={view} onChange={setView} />
      </div>
      {run.status === "failed" ? <FailedRun error={run.error} onRetry={onRetry} /> : null}
      {view === "raw" ? (
        <RawView verification={verification} onOpenServer={props.onOpenServer} />
      ) : verification !== null ? (
        <Claims {...props} verification={verification} />
      ) : isRunning ? (
        <PendingResult since={run.since} />
      ) : run.status === "failed" ? null : (
        <NothingYet onTryExample={props.onTryExample} />
      )}
    </section>
  );
}

function FailedRun({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const isReady = useNotReady() === null;
  return (
    <div className={classes.error}>
      <ErrorCard title="The response was not verified" {...describeError(error)} {...(isReady ? { onRetry } : {})} />
    </div>
  );
}

/** How many claims came to what. */
function Headline({ verification }: { readonly verification: Verification }) {
  const { result, isEarlier } = verification;
  if (isEarlier) return <h2 className={classes.headline}>Made by an earlier version</h2>;
  return (
    <h2 className={classes.headline}>
      <ResponseCounts counts={result.counts} size={18} />
    </h2>
  );
}

function Claims({ verification, active, onActive }: ResultPaneProps & { readonly verification: Verification }) {
  const { claims } = verification.result;
  const isStale = useVerifyDraft((state) => !areSame(state.texts, toTexts(verification)));
  const explanation = explainResult(verification);
  return (
    <div className={classes.result}>
      {verification.isEarlier ? (
        <p className={classes.explanation}>
          Its verdicts meant something else than today’s, so they are not shown. Verify the texts again to get new ones.
        </p>
      ) : explanation === "" ? null : (
        <p className={classes.explanation}>{explanation}</p>
      )}
      <p className={classes.facts}>{describeRun(verification)}</p>
      {isStale ? (
        <p className={classes.stale} role="status">
          <IconPencil size={15} stroke={1.7} aria-hidden />
          The texts have changed since. Verify again to check them as they are now.
        </p>
      ) : null}
      <ConnectionCard verification={verification} />
      <ClaimList
        key={verification.id}
        claims={claims}
        showsJudge={verification.choice.judge !== "rules"}
        active={active?.index ?? null}
        keepsInView={active?.from === "texts"}
        onActive={onActive}
      />
    </div>
  );
}

function NothingYet({ onTryExample }: { readonly onTryExample: () => void }) {
  return (
    <EmptyState
      icon={<IconShieldCheck size={26} stroke={1.5} />}
      title="Nothing verified yet"
      actions={
        <Button variant="filled" onClick={onTryExample}>
          Try an example
        </Button>
      }
    >
      Each sentence of a response is held against its prompt and document, on this computer: what can be looked up or
      computed comes with the reason and the evidence, and the rest is called not checkable.
      <p className={classes.credit}>The example is a question of HaluEval with a made-up answer.</p>
    </EmptyState>
  );
}

/** Before the first claim is there: who is judging, and for how long already. */
function PendingResult({ since }: { readonly since: number }) {
  const choice = useVerifyDraft((state) => state.choice);
  const now = useNow(1_000);
  const waited = now - since;
  return (
    <div className={classes.pending}>
      <p className={classes.pendingText}>
        Checking the response. Judge: {nameJudge(choice)}
        {waited < 1_000 ? null : <span aria-hidden>, {formatTimeLeft(waited)}</span>}
      </p>
      <div className={classes.pendingRows}>
        {["first", "second", "third"].map((row) => (
          <div key={row} className={classes.pendingRow}>
            <Skeleton height={12} width={96} animate={false} />
            <Skeleton height={12} animate={false} />
          </div>
        ))}
      </div>
    </div>
  );
}
