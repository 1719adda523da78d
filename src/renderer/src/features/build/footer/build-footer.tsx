import { Button, Tooltip, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import type { CheckProgress, ExportOutcome, Source } from "#contract";
import { deliverExport, useRpc } from "../../../bridge/index.ts";
import {
  formatBytes,
  formatCompact,
  formatCount,
  formatNumber,
  modKey,
  ProgressBar,
} from "../../../components/index.ts";
import { toRequestTemplate } from "../draft/draft-content.ts";
import { useSession } from "../draft/draft-session.ts";
import { showName } from "../draft/use-drafts.tsx";
import { showFailure } from "../show-failure.ts";
import classes from "./build-footer.module.css";
import type { Submit } from "./use-submit.tsx";

interface BuildFooterProps {
  readonly source: Source | null;
  readonly check: CheckProgress | null;
  readonly submit: Submit;
}

/** What comes of the draft: how much it is, and the two ways to use it. */
export function BuildFooter({ source, check, submit }: BuildFooterProps) {
  const exporting = useExport();
  const { notReady, progress } = submit;
  return (
    <footer className={classes.root}>
      {progress === null ? (
        <Facts source={source} check={check} />
      ) : (
        <Rendering {...progress} onCancel={submit.cancel} />
      )}
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
          Submit batch
        </Button>
      </Tooltip>
    </footer>
  );
}

function Facts({ source, check }: Pick<BuildFooterProps, "source" | "check">) {
  if (source === null) return <span className={classes.faint}>No requests yet</span>;
  const [count = "", word = ""] = formatCount(source.rowCount, "request").split(" ");
  return (
    <dl className={classes.facts} aria-label="Size of the batch">
      <div>
        <dt>{word}</dt>
        <dd>{count}</dd>
      </div>
      {check === null || check.bytes === 0 ? null : (
        <>
          <div>
            <dd>{showSize(check)}</dd>
            <VisuallyHidden component="dt">Size</VisuallyHidden>
          </div>
          <div>
            <dt>tokens in</dt>
            <dd>≈ {formatCompact(check.promptTokens)}</dd>
          </div>
        </>
      )}
    </dl>
  );
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
        build: { sourceId: source.id, template: toRequestTemplate(content) },
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
