import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCircleCheck } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { isLastingError, type ValueCount } from "#contract";
import { describeError, useApi, useRpc } from "../../../bridge/index.ts";
import {
  EmptyState,
  ErrorCard,
  formatCount,
  formatNumber,
  scrollable,
  useConfirmPaid,
} from "../../../components/index.ts";
import { useResultSummary } from "../../../queries/batch-queries.ts";
import { useResults } from "../results-context.tsx";
import { adviceOf } from "./describe-errors.ts";
import classes from "./errors-tab.module.css";

/** Why lines have no answer: by code, each with what can be done about it. */
export function ErrorsTab() {
  const { batchId, merged, onShow } = useResults();
  const { data, error, refetch } = useResultSummary(batchId, merged);
  if (error) {
    return (
      <div className={classes.root}>
        <ErrorCard title="The errors could not be read" {...describeError(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) return <div className={classes.root} role="status" aria-label="The errors are being read" />;
  if (data.errors.length === 0) {
    return (
      <EmptyState icon={<IconCircleCheck size={24} stroke={1.5} />} title="No line failed">
        What fails is listed here by its error.
      </EmptyState>
    );
  }
  return (
    <div className={classes.root} {...scrollable}>
      {data.errors.map((group) => (
        <Group key={group.value} group={group} onShow={() => onShow({ errors: [group.value] })} />
      ))}
    </div>
  );
}

interface RetryButtonProps {
  readonly code: string;
  readonly count: number;
}

/** Asks the lines with an error again, as a batch of their own. */
function RetryButton({ code, count }: RetryButtonProps) {
  const { batchId, merged } = useResults();
  const rpc = useRpc();
  const confirm = useConfirmPaid();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const lines = await rpc.results.numbers({ batchId, filter: { errors: [code] }, ...(merged && { merged }) });
      return confirm.ask((evenIfPaid) => rpc.batches.retry({ id: batchId, which: ["lines"], lines, evenIfPaid }));
    },
    onSuccess(retry) {
      if (retry === null) return;
      const message = `${formatCount(count, "line")} asked again in the batch “${retry.name}”`;
      notifications.show({ message: retry.notice === null ? message : `${message}. ${retry.notice}` });
    },
  });
  return (
    <>
      {confirm.dialog}
      {error ? (
        <span className={classes.problem} role="alert">
          {describeError(error).message}
        </span>
      ) : null}
      <Button
        size="xs"
        loading={isPending}
        onClick={() => mutate()}
        aria-label={`Retry these ${formatCount(count, "line")}`}
      >
        Retry these
      </Button>
    </>
  );
}

interface GroupProps {
  readonly group: ValueCount;
  readonly onShow: () => void;
}

function Group({ group: { value, count, firstLine }, onShow }: GroupProps) {
  const { batchId, merged } = useResults();
  const { data: example } = useQuery(
    useApi().results.line.queryOptions({
      input: { batchId, line: firstLine, ...(merged && { merged }) },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const { title, advice } = adviceOf(value);
  return (
    <section className={classes.group} aria-label={title}>
      <div className={classes.head}>
        <h2 className={classes.title}>
          {title}
          <span className={classes.count}>{formatNumber(count)}</span>
          <code className={classes.code}>{value}</code>
        </h2>
        {isLastingError(value) ? null : <RetryButton code={value} count={count} />}
        <Button size="xs" onClick={onShow} aria-label={`Show ${formatCount(count, "line")}: ${title}`}>
          Show {formatCount(count, "line")}
        </Button>
      </div>
      <p className={classes.advice}>{advice}</p>
      {example?.answer ? (
        <p className={classes.example} dir="auto">
          Line {formatNumber(firstLine)}: {example.answer}
        </p>
      ) : null}
    </section>
  );
}
