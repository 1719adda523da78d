import { Button } from "@mantine/core";
import { IconHelpCircle, IconKey, IconPlugConnectedX } from "@tabler/icons-react";
import { useState } from "react";
import type { BatchView, ConnectionView } from "#contract";
import { formatCount, formatNumber } from "../../components/index.ts";
import { type AttentionActions, Row } from "./attention-row.tsx";
import { Card } from "./card.tsx";
import { Failures } from "./failures.tsx";
import type { Attention, FailedLines } from "./find-attention.ts";
import classes from "./home-page.module.css";

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
            Fix the lines
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

/** Why lines of it never ran. */
function describeCause({ status }: BatchView): string {
  if (status === "expired") return ", which has expired";
  return status === "cancelled" ? ", which was cancelled" : "";
}

function describeNoKey({ keyVariable }: ConnectionView): string {
  return keyVariable === null ? "has no key" : `has no key: the variable ${keyVariable} is not set`;
}
