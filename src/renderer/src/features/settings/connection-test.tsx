import { Button, Tooltip } from "@mantine/core";
import { IconCheck, IconLoader2, IconMinus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { ConnectionCheck } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ErrorCard } from "../../components/index.ts";
import classes from "./connection-test.module.css";

const whats: Readonly<Record<ConnectionCheck["what"], string>> = {
  address: "Address",
  key: "Key",
  models: "Models",
  batches: "Batches",
  files: "Files",
  mcp: "MCP",
  answer: "Answer",
};

const states = {
  works: { icon: IconCheck, word: "works" },
  fails: { icon: IconX, word: "fails" },
  missing: { icon: IconMinus, word: "not offered" },
} as const;

interface ConnectionTestProps {
  readonly id: string;
  readonly name: string;
  /** Another one is a test of its own: what was found before does not apply to it. */
  readonly round: number;
  /** Takes the address at which the service was found. */
  readonly onUse: (url: string) => void;
  /** Called with each result: whether it can answer batches. */
  readonly onResult: (works: boolean) => void;
  readonly onClose: () => void;
}

/** Tests a connection as soon as it is shown, and lists what works, step by step. */
export function ConnectionTest({ id, name, round, onUse, onResult, onClose }: ConnectionTestProps) {
  const api = useApi();
  /** The round in which the user had a request sent: another test sends none by itself. */
  const [askedIn, setAskedIn] = useState<number | null>(null);
  const asks = askedIn === round;
  const { data, error, isFetching, refetch } = useQuery(
    api.connections.test.experimental_liveOptions({
      input: { id, asks },
      queryKey: ["connection-test", id, round, asks],
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  );
  const works = isFetching ? null : (data?.works ?? null);
  const report = useEffectEvent(onResult);
  useEffect(() => {
    if (works !== null) report(works);
  }, [works]);
  if (error !== null && !isFetching) {
    return (
      <ErrorCard
        title={`${name} could not be tested`}
        {...describeError(error)}
        onRetry={() => void refetch()}
        actions={
          <Button size="xs" variant="subtle" onClick={onClose}>
            Close
          </Button>
        }
      />
    );
  }
  const suggestedUrl = data?.checks.find((check) => check.suggestedUrl !== undefined)?.suggestedUrl;
  return (
    <section className={classes.root} aria-label={`Test of ${name}`} aria-busy={isFetching}>
      <ul className={classes.list}>
        {(data?.checks ?? []).map((check) => (
          <CheckItem key={check.what} check={check} />
        ))}
        {isFetching && data?.works == null ? (
          <li className={classes.item}>
            <IconLoader2 size={15} className={classes.turning} aria-hidden />
            <span className={classes.trying}>Trying…</span>
          </li>
        ) : null}
      </ul>
      <div className={classes.foot}>
        <strong role="status" data-works={data?.works ?? undefined}>
          {data?.works == null ? "" : data.works ? "All that batches need works." : "It can’t answer batches yet."}
        </strong>
        {suggestedUrl === undefined ? null : (
          <Button size="xs" variant="filled" onClick={() => onUse(suggestedUrl)}>
            Use {suggestedUrl}
          </Button>
        )}
        <Button size="xs" loading={isFetching} onClick={() => (asks ? setAskedIn(null) : void refetch())}>
          Test again
        </Button>
        {asks ? null : (
          <Tooltip label="One chat of at most 1 token. It may cost.">
            <Button size="xs" variant="default" disabled={isFetching} onClick={() => setAskedIn(round)}>
              Send one test request
            </Button>
          </Tooltip>
        )}
        <Button size="xs" variant="subtle" onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  );
}

function CheckItem({ check: { what, state, message, details } }: { readonly check: ConnectionCheck }) {
  const { icon: Icon, word } = states[state];
  return (
    <li className={classes.item} data-state={state}>
      <Icon size={15} stroke={2.2} className={classes.icon} aria-hidden />
      <span className={classes.what}>
        {whats[what]} <span className={classes.word}>{word}</span>
      </span>
      <span className={classes.message} dir="auto">
        {message}
        {details === undefined ? null : <code className={classes.details}>{details}</code>}
      </span>
    </li>
  );
}
