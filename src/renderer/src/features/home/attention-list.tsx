import { Button } from "@mantine/core";
import { IconAlertTriangle, IconHelpCircle, IconKey, IconPlugConnectedX, IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { BatchView, ConnectionView } from "#contract";
import { formatCount, formatNumber, IconAction } from "../../components/index.ts";
import { useHome } from "../../state/home.ts";
import { Card } from "./card.tsx";
import type { Attention } from "./find-attention.ts";
import classes from "./home-page.module.css";

/** The next steps that there are. */
export interface AttentionActions {
  readonly onOpen: (batchId: string) => void;
  readonly onOpenFailed: (batch: BatchView) => void;
  readonly onOpenProblems: (batchId: string) => void;
  readonly onRetry: (batch: BatchView, which: "failed" | "never_ran") => void;
  /** Opens the lines of a file that failed its check. */
  readonly onMend: (batchId: string) => void;
  readonly onSettings: () => void;
  /** Lets what waits for a connection try again at once. */
  readonly onRetryConnection: (connectionId: string) => void;
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
  const hidden = showsAll ? 0 : attention.length - mostListed;
  return (
    <Card title="Needs you">
      <ul className={classes.list}>
        {attention.slice(0, hidden > 0 ? mostListed : undefined).map((one) => (
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

const date = new Intl.DateTimeFormat("en", { day: "numeric", month: "long" });

function Item({ attention, ...actions }: AttentionActions & { readonly attention: Attention }) {
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
    case "failed_lines":
    case "never_ran": {
      const { batch, lines, kind } = attention;
      const hasFailed = kind === "failed_lines";
      return (
        <Row
          batch={batch}
          dismiss={attention.key}
          title={hasFailed ? describeFailed(batch) : `${formatCount(lines, "line")} never ran`}
          about={
            <>
              in <bdi>{batch.name}</bdi>
              {hasFailed ? null : describeCause(batch)}
            </>
          }
        >
          {hasFailed ? (
            <Button size="xs" onClick={() => actions.onOpenFailed(batch)}>
              See why
            </Button>
          ) : null}
          <Button
            size="xs"
            disabled={isActing}
            onClick={() => actions.onRetry(batch, hasFailed ? "failed" : "never_ran")}
          >
            {`${hasFailed ? "Retry" : "Ask"} ${formatNumber(lines)}`}
          </Button>
        </Row>
      );
    }
    case "awaited": {
      const { batch, lines } = attention;
      return (
        <Row
          batch={batch}
          dismiss={attention.key}
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
          dismiss={attention.key}
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
          dismiss={attention.key}
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

function describeFailed({ counts: { failed, damaged } }: BatchView): string {
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
  readonly batch?: BatchView;
  /** The key under which the user may dismiss it. */
  readonly dismiss?: string;
  readonly children: ReactNode;
}

function Row({ icon, title, about, batch, dismiss, children }: RowProps) {
  const onDismiss = useHome((state) => state.dismiss);
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
        {dismiss === undefined ? null : (
          <IconAction
            label="Dismiss"
            name={`Dismiss what is said of ${batch?.name}`}
            icon={IconX}
            onClick={() => onDismiss(dismiss)}
          />
        )}
      </span>
    </li>
  );
}
