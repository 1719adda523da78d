import { Button, Tooltip, VisuallyHidden } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReuseCount, Source } from "#contract";
import { useRpc } from "../../../bridge/index.ts";
import {
  formatBytes,
  formatCompact,
  formatCount,
  formatNumber,
  modKey,
  ProgressBar,
  reportExport,
  showFailure,
} from "../../../components/index.ts";
import { selectedVersion, toBuildInput, toRequestTemplate } from "../draft/draft-content.ts";
import { useContent, usePrompt, useSession } from "../draft/draft-session.ts";
import { showName } from "../draft/use-drafts.tsx";
import type { VersionCheck } from "../preview/use-checks.ts";
import classes from "./build-footer.module.css";
import { Cost } from "./cost.tsx";
import { countRequests, type Job, leaveOutReused, type Size, sumSizes, useJobs } from "./jobs.ts";
import { ReusableRequests, useReusableRequests } from "./reusable-requests.tsx";
import { RowsChoice } from "./rows-choice.tsx";
import { UnlistedModels } from "./unlisted-models.tsx";
import type { Submit } from "./use-submit.tsx";

interface BuildFooterProps {
  readonly source: Source | null;
  readonly checks: readonly VersionCheck[];
  readonly submit: Submit;
}

/** The size and cost of the draft's batch, and the two ways to use it. */
export function BuildFooter({ source, checks, submit }: BuildFooterProps) {
  const exporting = useExport();
  const { notReady, progress } = submit;
  const jobs = useJobs(source, checks);
  const reusable = useReusableRequests(jobs);
  const version = usePrompt(({ name }) => name);
  const exported = checks.length > 1 ? `${version} as JSONL` : "JSONL";
  const sum = (of: "reusable" | "identical") => reusable.reduce((total, counts) => total + counts[of], 0);
  return (
    <footer className={classes.root}>
      {progress === null ? (
        <Facts source={source} jobs={jobs} reusable={reusable} />
      ) : (
        <Rendering {...progress} onCancel={submit.cancel} />
      )}
      {source !== null && source.rowCount > 0 && progress === null ? (
        <>
          <RowsChoice source={source} identical={sum("identical")} fitting={jobs[0]?.check?.fitting ?? null} />
          <ReusableRequests
            reusable={sum("reusable")}
            requests={jobs.reduce((total, { check }) => total + (check?.requests ?? 0), 0)}
          />
        </>
      ) : null}
      {progress === null ? <UnlistedModels source={source} jobs={jobs} /> : null}
      <span className={classes.spacer} />
      {notReady === null || progress !== null ? null : (
        <span className={classes.reason} id="build-not-ready">
          {notReady}
        </span>
      )}
      <Button
        title={`Export ${exported}`}
        disabled={source === null || source.rowCount === 0}
        loading={exporting.isPending}
        onClick={() => source !== null && exporting.mutate(source)}
      >
        Export&nbsp;<span className={classes.what}>{exported}</span>
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
          {jobs.length > 1 ? `Submit ${jobs.length} batches` : "Submit batch"}
        </Button>
      </Tooltip>
    </footer>
  );
}

interface FactsProps {
  readonly source: Source | null;
  readonly jobs: readonly Job[];
  readonly reusable: readonly ReuseCount[];
}

function Facts({ source, jobs, reusable }: FactsProps) {
  const rows = useContent((content) => content.rows);
  if (source === null) return <span className={classes.faint}>No requests yet</span>;
  const size = sumSizes(jobs.map(({ check }) => check));
  const asked = sumSizes(jobs.map(({ check }, at) => check && leaveOutReused(check, reusable[at], rows)));
  const skipped = size?.finished ? size.total - size.requests : 0;
  const requests = countRequests(source, rows, jobs.length, size);
  if (requests === null) {
    return jobs.some(({ isChecking }) => isChecking) ? <span className={classes.faint}>Counting requests…</span> : null;
  }
  const [count = "", word = ""] = formatCount(requests, "request").split(" ");
  const parts = reusable.reduce((total, counts) => total + (counts.parts ?? 1), 0);
  return (
    <dl className={classes.facts} aria-label={jobs.length > 1 ? "Size of the batches" : "Size of the batch"}>
      <div>
        <dt>{word}</dt>
        <dd>{count}</dd>
      </div>
      {parts > jobs.length ? (
        <div>
          <dd>in {formatCount(parts, "part")}</dd>
          <VisuallyHidden component="dt">Parts</VisuallyHidden>
        </div>
      ) : null}
      {rows.skipFaulty && skipped > 0 ? (
        <div>
          <dt>skipped</dt>
          <dd>{formatNumber(skipped)}</dd>
        </div>
      ) : null}
      {size === null || asked === null || size.bytes === 0 ? null : (
        <>
          <div className={classes.size}>
            <dd>{showSize(size)}</dd>
            <VisuallyHidden component="dt">Size</VisuallyHidden>
          </div>
          <div className={classes.tokens}>
            <dt>tokens in</dt>
            <dd>{showTokens(asked)}</dd>
          </div>
          <div>
            <VisuallyHidden component="dt">Cost</VisuallyHidden>
            <dd>
              <Cost source={source} jobs={jobs} reusable={reusable} />
            </dd>
          </div>
        </>
      )}
    </dl>
  );
}

/** The tokens of all prompts: as they were counted, or about what they will be. */
function showTokens({ promptTokens, tokensExact, done, total, finished }: Size): string {
  if (finished && tokensExact) return formatNumber(promptTokens);
  const all = finished || done === 0 ? promptTokens : (promptTokens / done) * total;
  return `about ${formatCompact(all)}`;
}

/** The size of the file: what the whole will be, from what has been rendered so far. */
function showSize({ bytes, done, total, finished }: Size): string {
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

/** Writes the requests of the version that is looked at to a file of the user's choice. */
function useExport() {
  const { store } = useSession();
  const rpc = useRpc();
  return useMutation({
    mutationFn(source: Source) {
      const content = store.content.getState();
      const version = selectedVersion(content);
      const name = showName(content.name);
      return rpc.exports.begin({
        what: "input",
        build: toBuildInput(content, source.id, toRequestTemplate(content, version)),
        name: content.versions.length > 1 ? `${name}, ${version.name}` : name,
      });
    },
    onSuccess: (outcome) => reportExport(outcome, rpc, { unit: "request", tellsDownload: false }),
    onError: (error) => showFailure("The requests could not be exported", error),
  });
}
