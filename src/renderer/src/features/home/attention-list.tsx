import { Button } from "@mantine/core";
import { IconAlertTriangle, IconHelpCircle, IconKey, IconPlugConnectedX, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type BatchView, type ConnectionView, errorKinds, errorKindTable, sumErrors } from "#contract";
import { formatCount, formatNumber, IconAction } from "../../components/index.ts";
import { BatchRow } from "./batch-row.tsx";
import { Card } from "./card.tsx";
import type { Attention, FailedLines } from "./find-attention.ts";
import classes from "./home-page.module.css";

/** The next steps that there are. */
export interface AttentionActions {
  readonly onOpen: (batchId: string) => void;
  readonly onOpenFailed: (batch: BatchView, isMerged: boolean) => void;
  /** To all batches with failed lines. */
  readonly onShowFailed: () => void;
  readonly onOpenProblems: (batchId: string) => void;
  readonly onRetry: (batches: readonly BatchView[], which: "failed" | "never_ran") => void;
  /** Opens the lines of a file that failed its check. */
  readonly onMend: (batchId: string) => void;
  readonly onSettings: () => void;
  /** Lets what waits for a connection try again at once. */
  readonly onRetryConnection: (connectionId: string) => void;
  /** Shows these no more; the words say what is gone. */
  readonly onDismiss: (keys: readonly string[], title: string) => void;
  /** While a step that takes a moment is under way. */
  readonly isActing: boolean;
}

interface AttentionListProps extends AttentionActions {
  readonly attention: readonly Attention[];
}

/** More than this is shown when it is asked for. */
const mostListed = 6;

/** What does not continue by itself, each with what to do about it. */
export function AttentionList({ attention, ...actions }: AttentionListProps) {
  const [showsAll, setShowsAll] = useState(false);
  const failures = attention.filter((one) => one.kind === "failed_lines");
  const others = attention.filter((one): one is Other => one.kind !== "failed_lines");
  const hidden = showsAll ? 0 : others.length - mostListed;
  return (
    <Card title="Needs you">
      <ul className={classes.list}>
        {failures.length === 0 ? null : <Failures failures={failures} {...actions} />}
        {others.slice(0, hidden > 0 ? mostListed : undefined).map((one) => (
          <Item key={one.key} attention={one} {...actions} />
        ))}
      </ul>
      {hidden > 0 ? (
        <div className={classes.more}>
          <Button size="xs" variant="subtle" onClick={() => setShowsAll(true)}>
            {formatNumber(hidden)} more
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

type Other = Exclude<Attention, FailedLines>;

/** So many batches are named below the count of all failed lines. */
const mostNamed = 2;

/** The failed lines of all batches as one thing, with the batches that they are of. */
function Failures({ failures, ...actions }: AttentionActions & { readonly failures: readonly FailedLines[] }) {
  const { isActing, onOpenFailed, onShowFailed, onRetry } = actions;
  const [first] = failures;
  const single = failures.length === 1 ? first : undefined;
  const passing = failures.reduce((sum, one) => sum + one.passing, 0);
  const kinds = describeErrors(failures);
  const others = failures.slice(mostNamed);
  return (
    <>
      <Row
        batch={single?.batch}
        dismiss={failures.map(({ key }) => key)}
        onDismiss={actions.onDismiss}
        title={`${describeFailed(failures)}${single === undefined ? ` in ${formatCount(failures.length, "batch", "batches")}` : ""}`}
        about={
          <>
            {single === undefined ? null : (
              <>
                in <bdi>{single.batch.name}</bdi>
              </>
            )}
            {kinds === "" ? null : <span className={classes.kinds}> · {kinds}</span>}
          </>
        }
      >
        <Button
          size="xs"
          onClick={() => (single === undefined ? onShowFailed() : onOpenFailed(single.batch, single.isMerged))}
        >
          Review
        </Button>
        {passing === 0 ? null : (
          <Button
            size="xs"
            disabled={isActing}
            onClick={() =>
              onRetry(
                failures.filter((one) => one.passing > 0).map(({ batch }) => batch),
                "failed",
              )
            }
          >
            {`Retry ${formatNumber(passing)}`}
          </Button>
        )}
      </Row>
      {single === undefined
        ? failures.slice(0, mostNamed).map((one) => (
            <BatchRow
              key={one.key}
              batch={one.batch}
              icon={<span className={classes.indent} />}
              about={describeErrors([one])}
              onOpen={() => onOpenFailed(one.batch, one.isMerged)}
            >
              <span className={classes.end}>
                {`${formatNumber(countLines([one]))} of ${formatNumber(one.batch.counts.total)}`}
              </span>
            </BatchRow>
          ))
        : null}
      {others.length === 0 ? null : (
        <li>
          <button type="button" className={`${classes.row} ${classes.batch}`} onClick={onShowFailed}>
            <span className={`${classes.name} ${classes.soft}`}>
              <span className={classes.indent} />
              {formatCount(others.length, "more batch", "more batches")}
            </span>
            <span className={classes.model} />
            <span className={classes.connection}>{describeErrors(others)}</span>
            <span className={classes.end}>{formatNumber(countLines(others))}</span>
          </button>
        </li>
      )}
    </>
  );
}

function countLines(failures: readonly FailedLines[]): number {
  return failures.reduce((sum, { batch: { counts } }) => sum + counts.failed + counts.damaged, 0);
}

/** `31 rate limited, 8 refused`; empty until the errors are known. */
function describeErrors(failures: readonly FailedLines[]): string {
  const errors = sumErrors(failures.map((one) => one.errors));
  return errorKinds
    .flatMap((kind) => (errors[kind] ? [`${formatNumber(errors[kind])} ${errorKindTable[kind].words}`] : []))
    .join(", ");
}

const date = new Intl.DateTimeFormat("en", { day: "numeric", month: "long" });

function Item({ attention, ...actions }: AttentionActions & { readonly attention: Other }) {
  const { isActing } = actions;
  switch (attention.kind) {
    case "waiting": {
      const { connection, reason, batches, fetchBefore } = attention;
      const until = fetchBefore === null ? "" : ` Results there can be fetched until ${date.format(fetchBefore)}.`;
      return (
        <Row
          icon={<IconPlugConnectedX size={16} className={classes.failed} />}
          title={formatCount(batches.length, "batch waits", "batches wait")}
          about={`${reason}${until}`}
        >
          <Button size="xs" onClick={actions.onSettings}>
            Change connection
          </Button>
          <Button size="xs" disabled={isActing} onClick={() => actions.onRetryConnection(connection.id)}>
            Try again now
          </Button>
        </Row>
      );
    }
    case "no_key":
      return (
        <Row
          icon={<IconKey size={16} className={classes.warning} />}
          title={<bdi>{attention.connection.name}</bdi>}
          about={describeNoKey(attention.connection)}
        >
          <Button size="xs" onClick={actions.onSettings}>
            Add key
          </Button>
        </Row>
      );
    case "never_ran": {
      const { batch, lines } = attention;
      return (
        <Row
          batch={batch}
          dismiss={[attention.key]}
          onDismiss={actions.onDismiss}
          title={`${formatCount(lines, "line")} never ran`}
          about={
            <>
              in <bdi>{batch.name}</bdi>
              {describeCause(batch)}
            </>
          }
        >
          <Button size="xs" disabled={isActing} onClick={() => actions.onRetry([batch], "never_ran")}>
            {`Ask ${formatNumber(lines)}`}
          </Button>
        </Row>
      );
    }
    case "awaited": {
      const { batch, lines } = attention;
      return (
        <Row
          batch={batch}
          dismiss={[attention.key]}
          onDismiss={actions.onDismiss}
          title={`${formatCount(lines, "result")} not there yet`}
          about={
            <>
              in <bdi>{batch.name}</bdi>: {batch.connection?.name ?? "the service"} counted them as done
            </>
          }
        >
          <Button size="xs" onClick={() => actions.onOpen(batch.id)}>
            Open
          </Button>
        </Row>
      );
    }
    case "faulty_file": {
      const { batch } = attention;
      return (
        <Row
          batch={batch}
          dismiss={[attention.key]}
          onDismiss={actions.onDismiss}
          title={<bdi>{batch.name}</bdi>}
          about={`did not run: its file has ${formatCount(batch.problemCount, "problem")}`}
        >
          <Button size="xs" onClick={() => actions.onOpenProblems(batch.id)}>
            See why
          </Button>
          <Button size="xs" disabled={isActing} onClick={() => actions.onMend(batch.id)}>
            Mend the lines
          </Button>
        </Row>
      );
    }
    case "in_doubt": {
      const { batch } = attention;
      return (
        <Row
          icon={<IconHelpCircle size={16} className={classes.warning} />}
          title={<bdi>{batch.name}</bdi>}
          about={`waits: ${batch.connection?.name ?? "the service"} may have it, the answer to its creation was lost`}
        >
          <Button size="xs" onClick={() => actions.onOpen(batch.id)}>
            Decide
          </Button>
        </Row>
      );
    }
    case "failed_batch":
    case "notice": {
      const { batch } = attention;
      return (
        <Row
          batch={batch}
          dismiss={[attention.key]}
          onDismiss={actions.onDismiss}
          title={<bdi>{batch.name}</bdi>}
          about={attention.kind === "notice" ? attention.notice : "failed before any line was answered"}
        >
          <Button size="xs" onClick={() => actions.onOpen(batch.id)}>
            See why
          </Button>
        </Row>
      );
    }
  }
}

function describeFailed(failures: readonly FailedLines[]): string {
  const failed = failures.reduce((sum, { batch }) => sum + batch.counts.failed, 0);
  const damaged = failures.reduce((sum, { batch }) => sum + batch.counts.damaged, 0);
  const parts = [
    failed > 0 ? `${formatCount(failed, "line")} failed` : null,
    damaged > 0 ? formatCount(damaged, "answer is damaged on disk", "answers are damaged on disk") : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** Why lines of it never ran. */
function describeCause({ status }: BatchView): string {
  if (status === "expired") return ", which has expired";
  return status === "cancelled" ? ", which was cancelled" : "";
}

function describeNoKey({ keyVariable }: ConnectionView): string {
  return keyVariable === null ? "has no key" : `has no key: the variable ${keyVariable} is not set`;
}

interface RowProps {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly about: ReactNode;
  readonly batch?: BatchView | undefined;
  /** The keys under which the user may dismiss it. */
  readonly dismiss?: readonly string[];
  readonly onDismiss?: AttentionActions["onDismiss"];
  readonly children: ReactNode;
}

function Row({ icon, title, about, batch, dismiss, onDismiss, children }: RowProps) {
  const name = batch?.name ?? "failed lines";
  return (
    <li className={classes.item}>
      <span className={classes.itemIcon} aria-hidden>
        {icon ?? <IconAlertTriangle size={16} className={classes.warning} />}
      </span>
      <span className={classes.itemText}>
        <strong>{title}</strong> <span className={classes.soft}>{about}</span>
      </span>
      <span className={classes.steps}>
        {children}
        {dismiss === undefined || onDismiss === undefined ? null : (
          <IconAction
            label="Dismiss"
            name={batch === undefined ? "Dismiss failed lines" : `Dismiss ${name}`}
            icon={IconX}
            onClick={() =>
              onDismiss(dismiss, batch === undefined ? "Failed lines are dismissed" : `“${name}” is dismissed`)
            }
          />
        )}
      </span>
    </li>
  );
}
