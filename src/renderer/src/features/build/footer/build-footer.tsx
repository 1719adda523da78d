import { Button, Tooltip, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import type { CheckProgress, ExportOutcome, KnownCount, Rows, Source } from "#contract";
import { deliverExport, useRpc } from "../../../bridge/index.ts";
import {
  formatBytes,
  formatCompact,
  formatCount,
  formatNumber,
  modKey,
  ProgressBar,
  showFailure,
} from "../../../components/index.ts";
import { toBuildInput } from "../draft/draft-content.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { showName } from "../draft/use-drafts.tsx";
import type { Check } from "../preview/use-check.ts";
import classes from "./build-footer.module.css";
import { Cost } from "./cost.tsx";
import { KnownRequests, useKnownRequests } from "./known-requests.tsx";
import { RowsChoice } from "./rows-choice.tsx";
import type { Submit } from "./use-submit.tsx";

interface BuildFooterProps {
  readonly source: Source | null;
  readonly check: Check;
  readonly submit: Submit;
}

/** What comes of the draft: how much it is, and the two ways to use it. */
export function BuildFooter({ source, check, submit }: BuildFooterProps) {
  const exporting = useExport();
  const { notReady, progress } = submit;
  const known = useKnownRequests(source, check);
  const { latest } = check;
  const models = useContent(({ otherModels }) => 1 + (source?.holds === "requests" ? 0 : otherModels.length));
  return (
    <footer className={classes.root}>
      {progress === null ? (
        <Facts source={source} check={latest} known={known} />
      ) : (
        <Rendering {...progress} onCancel={submit.cancel} />
      )}
      {source !== null && source.rowCount > 0 && progress === null ? (
        <>
          <RowsChoice source={source} identical={known.identical} />
          <KnownRequests known={known.known} requests={latest?.requests ?? 0} />
        </>
      ) : null}
      <span className={classes.spacer} />
      {notReady === null || progress !== null ? null : (
        <span className={classes.reason} id="build-not-ready">
          {notReady}
        </span>
      )}
      <Button
        disabled={source === null || source.rowCount === 0}
        loading={exporting.isPending}
        onClick={() => source !== null && exporting.mutate(source)}
      >
        Export JSONL
      </Button>
      <Tooltip label={notReady ?? `${modKey} Enter`} withArrow>
        <Button
          variant="filled"
          loading={progress !== null}
          aria-disabled={notReady !== null}
          {...(notReady === null ? {} : { "data-disabled": true, "aria-describedby": "build-not-ready" })}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={submit.start}
        >
          {models === 1 ? "Submit batch" : `Submit ${models} batches`}
        </Button>
      </Tooltip>
    </footer>
  );
}

interface FactsProps {
  readonly source: Source | null;
  readonly check: CheckProgress | null;
  readonly known: KnownCount;
}

function Facts({ source, check, known }: FactsProps) {
  const rows = useContent((content) => content.rows);
  if (source === null) return <span className={classes.faint}>No requests yet</span>;
  const skipped = check?.finished ? check.total - check.requests : 0;
  const [count = "", word = ""] = formatCount(requestsOf(source, rows, check), "request").split(" ");
  return (
    <dl className={classes.facts} aria-label="Size of the batch">
      <div>
        <dt>{word}</dt>
        <dd>{count}</dd>
      </div>
      {rows.skipFaulty && skipped > 0 ? (
        <div>
          <dt>skipped</dt>
          <dd>{formatNumber(skipped)}</dd>
        </div>
      ) : null}
      {check === null || check.bytes === 0 ? null : (
        <>
          <div>
            <dd>{showSize(check)}</dd>
            <VisuallyHidden component="dt">Size</VisuallyHidden>
          </div>
          <div>
            <dt>tokens in</dt>
            <dd>{showTokens(check)}</dd>
          </div>
          <div>
            <VisuallyHidden component="dt">Cost</VisuallyHidden>
            <dd>
              <Cost source={source} check={check} known={known} />
            </dd>
          </div>
        </>
      )}
    </dl>
  );
}

/** Requests of the batch: those of the rows that are taken, without the ones that are left out. */
function requestsOf({ rowCount }: Source, { take, count }: Rows, check: CheckProgress | null): number {
  if (check?.finished && !check.blocked) return check.requests;
  return take === "all" ? rowCount : Math.min(count, rowCount);
}

/** The tokens of all prompts: as they were counted, or about what they will be. */
function showTokens({ promptTokens, tokensExact, done, total, finished }: CheckProgress): string {
  if (finished && tokensExact) return formatNumber(promptTokens);
  const all = finished || done === 0 ? promptTokens : (promptTokens / done) * total;
  return `about ${formatCompact(all)}`;
}

/** The size of the file: what the whole will be, from what has been rendered so far. */
function showSize({ bytes, done, total, finished }: CheckProgress): string {
  return finished || done === 0 ? formatBytes(bytes) : `≈ ${formatBytes((bytes / done) * total)}`;
}

function Rendering({ done, total, onCancel }: { done: number; total: number; onCancel: () => void }) {
  return (
    <div className={classes.rendering}>
      <ProgressBar label="Writing the requests" share={total === 0 ? 0 : done / total} />
      <span role="status">
        Writing {formatNumber(done)} of {formatCount(total, "request")}
      </span>
      <Button size="xs" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

/** Writes the requests of the draft to a file of the user's choice. */
function useExport() {
  const { store } = useSession();
  const rpc = useRpc();
  return useMutation({
    mutationFn(source: Source) {
      const content = store.content.getState();
      return rpc.exports.begin({
        what: "input",
        build: toBuildInput(source.id, content),
        name: showName(content.name),
      });
    },
    onSuccess: showOutcome,
    onError: (error) => showFailure("The requests could not be exported", error),
  });
}

function showOutcome(outcome: ExportOutcome): void {
  if (outcome.how === "saved") {
    notifications.show({ title: `${formatCount(outcome.lines, "request")} exported`, message: outcome.path });
  }
  deliverExport(outcome, document);
}
