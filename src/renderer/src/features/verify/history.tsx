import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formOf, type VerificationSummary } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ConfirmDialog, CountsBadge, ErrorCard, formatNumber, RelativeTime } from "../../components/index.ts";
import classes from "./history.module.css";
import { useOpenVerification } from "./replace-texts.tsx";
import { createVerifyQueries } from "./use-verification.ts";
import { useVerifyDraft } from "./verify-draft.ts";

/** Verifications that are listed until all are asked for. */
const fewest = 6;

/** The last verifications, newest first; a click brings one back. Nothing where there is none. */
export function History() {
  const { data } = useQuery(createVerifyQueries(useApi()).history());
  const [showsAll, setShowsAll] = useState(false);
  const clearing = useClearHistory();
  if (data === undefined || data.length === 0) return clearing.dialog;
  const listed = showsAll ? data : data.slice(0, fewest);
  return (
    <section className={classes.root} aria-labelledby="verify-history">
      <div className={classes.head}>
        <h2 className={classes.title} id="verify-history">
          History
        </h2>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          className={classes.clear}
          onClick={() => clearing.ask(data.length)}
        >
          Clear history
        </Button>
      </div>
      <ul className={classes.list}>
        {listed.map((one) => (
          <HistoryRow key={one.id} verification={one} />
        ))}
      </ul>
      {listed.length < data.length ? (
        <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
          Show all {formatNumber(data.length)}
        </Button>
      ) : null}
      {clearing.dialog}
    </section>
  );
}

function HistoryRow({ verification }: { readonly verification: VerificationSummary }) {
  const { id, at, prompt, response, verdict, counts } = verification;
  const open = useOpenVerification();
  const isOpen = useVerifyDraft((state) => state.shownId === id);
  return (
    <li>
      <button
        type="button"
        className={classes.row}
        title={response}
        aria-current={isOpen || undefined}
        onClick={() => open(id)}
      >
        <span className={classes.verdict}>
          {verdict === null ? (
            <EarlierVersion />
          ) : (
            <CountsBadge verdict={verdict} claims={counts} form={counts && formOf(counts)} />
          )}
          <span className={classes.time}>
            <RelativeTime time={at} />
          </span>
        </span>
        <span className={classes.texts}>
          <span className={classes.response}>{response.trim() === "" ? "Empty response" : response}</span>
          {prompt.trim() === "" ? null : <span className={classes.prompt}>{prompt}</span>}
        </span>
      </button>
    </li>
  );
}

/** Shown in place of the verdict: the verdicts of an earlier version had other meanings. */
function EarlierVersion() {
  return (
    <span className={classes.earlier}>
      <IconHistory size={16} stroke={1.8} aria-hidden /> Earlier version
    </span>
  );
}

interface ClearHistory {
  /** Opens the question. */
  readonly ask: (count: number) => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** Asks for confirmation, naming what is lost, and clears the history. */
function useClearHistory(): ClearHistory {
  const api = useApi();
  const queryClient = useQueryClient();
  const [count, setCount] = useState(0);
  const [opened, setOpened] = useState(false);
  const { mutate, isPending, error, reset } = useMutation(
    api.verifications.clearHistory.mutationOptions({
      onSuccess: async () => {
        setOpened(false);
        await queryClient.invalidateQueries({ queryKey: api.verifications.history.key() });
      },
    }),
  );
  return {
    ask(found) {
      reset();
      setCount(found);
      setOpened(true);
    },
    dialog: (
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title="Clear the history?"
        error={error ? <ErrorCard title="The history was not cleared" {...describeError(error)} /> : null}
        keep="Keep"
        confirm="Clear history"
        isPending={isPending}
        onConfirm={() => mutate({})}
      >
        {describeLoss(count)} What is in the fields stays.
      </ConfirmDialog>
    ),
  };
}

function describeLoss(count: number): string {
  return count === 1
    ? "The one verification in it, with its texts and its result, is removed for good."
    : `The ${formatNumber(count)} verifications in it, with their texts and results, are removed for good.`;
}
