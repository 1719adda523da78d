import { Button, Checkbox, Modal, NumberInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import {
  type BatchDetail,
  type BatchRetry,
  type BatchView,
  countLasting,
  formatCost,
  mostTokens,
  type RetryChoice,
} from "#contract";
import { describeError, useApi, useRpc } from "../../bridge/index.ts";
import classes from "../../components/dialog-form.module.css";
import { ErrorCard, formatCount, JudgeModelFields, useConfirmPaid } from "../../components/index.ts";
import { describeFailedLines, describePaid, useStoreRetries, withoutLasting } from "./use-retry-batch.tsx";

export interface RetryDialog {
  /** Offers these lines, else all that can be asked again. */
  readonly open: (lines?: readonly number[]) => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** The dialog that asks lines of a batch again, with more tokens, of another model or at another connection. */
export function useRetryDialog(batch: BatchDetail, onRetried: (retry: BatchView) => void): RetryDialog {
  const [lines, setLines] = useState<readonly number[]>([]);
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const dialog = (
    <Modal opened={opened} onClose={close} title={`Ask lines of “${batch.name}” again`} size={480}>
      <RetryForm batch={batch} lines={lines} onRetried={onRetried} onClose={close} />
    </Modal>
  );
  return {
    open(chosen = []) {
      setLines(chosen);
      setOpened(true);
    },
    dialog,
  };
}

interface RetryFormProps {
  readonly batch: BatchDetail;
  readonly lines: readonly number[];
  readonly onRetried: (retry: BatchView) => void;
  readonly onClose: () => void;
}

interface Offer {
  readonly choice: RetryChoice;
  readonly count: number;
  readonly label: string;
}

/** Until the last key was typed before a price is asked for, in milliseconds. */
const priceDelay = 300;

function RetryForm({ batch, lines, onRetried, onClose }: RetryFormProps) {
  const rpc = useRpc();
  const store = useStoreRetries();
  const confirm = useConfirmPaid();
  const offers = listOffers(batch, lines);
  const [ticked, setTicked] = useState<readonly RetryChoice[]>(() => chooseFirst(offers));
  const [target, setTarget] = useState({ model: null as string | null, connectionId: batch.connection?.id });
  const [maxTokens, setMaxTokens] = useState<number | null>(null);
  const wanted = offers.filter(({ choice }) => ticked.includes(choice));
  const count = wanted.reduce((sum, one) => sum + one.count, 0);
  const isShort = wanted.some(({ choice }) => isOfAnswers(choice));
  const hasLimit = isShort || lines.length > 0;
  const toRequest = (which: RetryChoice[]): BatchRetry => ({
    id: batch.id,
    which,
    ...(which.includes("lines") && { lines: [...lines] }),
    connectionId: target.connectionId ?? null,
    ...(target.model && { model: target.model }),
    ...(hasLimit && maxTokens !== null && { maxTokens }),
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (request: BatchRetry) => confirm.ask((evenIfPaid) => rpc.batches.retry({ ...request, evenIfPaid })),
    onSuccess(retry) {
      if (retry === null) return;
      store([retry]);
      onClose();
      onRetried(retry);
    },
  });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0 && !isPending) mutate(toRequest(wanted.map(({ choice }) => choice)));
      }}
    >
      <Checkbox.Group
        label="Lines"
        value={[...ticked]}
        onChange={(values) => setTicked(offers.map(({ choice }) => choice).filter((one) => values.includes(one)))}
      >
        {offers.map(({ choice, label }) => (
          <Checkbox
            key={choice}
            value={choice}
            mt={8}
            label={
              <>
                {label}
                {isOfAnswers(choice) && batch.counts.total > 0 ? <Price request={toRequest([choice])} /> : null}
              </>
            }
          />
        ))}
        {offers.length === 0 ? <p className={classes.about}>No line is left to be asked again.</p> : null}
      </Checkbox.Group>
      {hasLimit ? (
        <NumberInput
          label={isShort ? "Max output tokens of cut and empty answers" : "Max output tokens"}
          placeholder={isShort ? "Twice the limit of each line" : "The limit of each line"}
          min={1}
          max={mostTokens}
          allowDecimal={false}
          value={maxTokens ?? ""}
          onChange={(value) => setMaxTokens(typeof value === "number" ? value : null)}
        />
      ) : null}
      <JudgeModelFields {...target} mockAnswers placeholder="The model that each line names" onChange={setTarget} />
      <p className={classes.plan} role="status">
        {target.model === null || target.model === ""
          ? `Each line is sent as it was${batch.models[0] === undefined ? "" : `, to ${batch.models.join(", ")}`}.`
          : `Each line is sent as it was, but to ${target.model}.`}{" "}
        {isShort ? "Cut and empty answers may get more tokens this time. " : ""}
        The answers become a new batch, and part of the merged results.
      </p>
      {error ? <ErrorCard title="No line is asked again" {...describeError(error)} /> : null}
      <div className={classes.actions}>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" variant="filled" loading={isPending} disabled={count === 0}>
          {count === 0 ? "Ask again" : `Ask ${formatCount(count, "line")} again`}
        </Button>
      </div>
      {confirm.dialog}
    </form>
  );
}

/** What lines may cost that are asked again; nothing where that is not known. */
function Price({ request }: { readonly request: BatchRetry }) {
  const [input] = useDebouncedValue(request, priceDelay);
  const { data: cost } = useQuery(useApi().batches.retryCost.queryOptions({ input, staleTime: 60_000, retry: false }));
  if (!cost) return null;
  return (
    <span className={classes.about}>
      {cost.isMost ? " · at most " : " · from "}
      {formatCost(cost.usd)}
    </span>
  );
}

const isOfAnswers = (choice: RetryChoice) => choice === "cut" || choice === "empty";

/** Lines that can be asked again: the selected ones alone where there are such. */
function listOffers({ left }: BatchDetail, lines: readonly number[]): Offer[] {
  if (lines.length > 0) {
    return [{ choice: "lines", count: lines.length, label: formatCount(lines.length, "selected line") }];
  }
  const failed = withoutLasting(left);
  const refused = countLasting(left.errors);
  const offers: [RetryChoice, number, string][] = [
    ["failed", failed.failed + failed.damaged, describeFailedLines(failed)],
    ["refused", refused, `${formatCount(refused, "refused line")} (another model may answer)`],
    ["never_ran", left.neverRan, formatCount(left.neverRan, "remaining line")],
    ["may_be_paid", left.mayBePaid, describePaid(left.mayBePaid)],
    ["cut", left.cut, formatCount(left.cut, "cut answer")],
    ["empty", left.empty, formatCount(left.empty, "empty answer")],
  ];
  return offers.flatMap(([choice, count, label]) => (count === 0 ? [] : [{ choice, count, label }]));
}

/** Lines that a retry may help and that surely weren't paid; where there are none, those whose answers are cut or empty. */
function chooseFirst(offers: readonly Offer[]): RetryChoice[] {
  const all = offers.map(({ choice }) => choice);
  const unanswered = all.filter((choice) => choice === "failed" || choice === "never_ran" || choice === "lines");
  return unanswered.length > 0 ? unanswered : all.filter(isOfAnswers);
}
