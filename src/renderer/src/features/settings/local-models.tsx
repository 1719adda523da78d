import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ConnectionView, LocalModels, Preset } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ErrorCard, formatCount } from "../../components/index.ts";
import { useDefaultConnection } from "../../state/default-connection.ts";
import { connectionOfLocal, nameOfLocal } from "./connection-form.ts";
import classes from "./local-models.module.css";
import { useConnectionChanges } from "./use-connections.ts";

/** A search for servers of models on this computer, which begins when it is asked for, and never by itself. */
export function useLocalModels() {
  const { mutate, data, error, isPending } = useMutation(useApi().connections.findLocal.mutationOptions());
  return { look: () => mutate(undefined), found: data, error, isLooking: isPending };
}

interface FoundProps {
  readonly search: ReturnType<typeof useLocalModels>;
  readonly connections: readonly ConnectionView[];
  readonly presets: readonly Preset[];
  readonly onConnected: (connection: ConnectionView) => void;
  /** Opens the form, filled with what was found, for its key. */
  readonly onAskKey: (found: LocalModels) => void;
}

/** What the last search has found; nothing before the first one. */
export function FoundModels({ search: { look, found, error, isLooking }, ...parts }: FoundProps) {
  if (error !== null) {
    return <ErrorCard title="This computer could not be searched" {...describeError(error)} onRetry={look} />;
  }
  return (
    <section className={classes.root} aria-label="On this computer" aria-busy={isLooking} hidden={found === undefined}>
      <p role="status" className={classes.head}>
        {found === undefined || isLooking ? "Looking…" : describeFound(found)}
      </p>
      {found?.length === 0 && !isLooking ? (
        <ul className={classes.hints}>
          <li>
            On this computer: install Ollama from ollama.com, run <code>ollama pull llama3.2</code>, then look again.
          </li>
          <li>At a service: make a key there (OpenAI, Anthropic, Groq and others), then choose Add connection.</li>
        </ul>
      ) : null}
      {found?.length ? (
        <ul className={classes.list}>
          {found.map((server) => (
            <FoundServer key={server.url} server={server} {...parts} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function describeFound(found: readonly LocalModels[]): string {
  if (found.length === 0) return "No model answers at the usual ports of this computer.";
  return `${formatCount(found.length, "server")} ${found.length === 1 ? "answers" : "answer"} on this computer.`;
}

interface ServerProps extends Omit<FoundProps, "search"> {
  readonly server: LocalModels;
}

function FoundServer({ server, connections, presets, onConnected, onAskKey }: ServerProps) {
  const { save } = useConnectionChanges();
  const answering = useDefaultConnection((state) => state.connectionId);
  const known = connections.find(({ url }) => url.replace(/\/+$/, "") === server.url);
  const name = nameOfLocal(server, presets);

  function connect(): void {
    const connection = connectionOfLocal(
      server,
      presets,
      connections.map((one) => one.name),
    );
    save.mutate({ connection }, { onSuccess: onConnected });
  }

  return (
    <li className={classes.server}>
      <div className={classes.about}>
        <strong>{name}</strong> <code>{server.url}</code>
        <div className={classes.state}>{describeState(server)}</div>
        {save.error === null ? null : <ErrorCard title={`${name} was not connected`} {...describeError(save.error)} />}
      </div>
      {known !== undefined ? (
        <span className={classes.state}>
          {known.id === answering ? "Connected: it answers new batches" : "Connected"}
        </span>
      ) : server.state === "needs_key" ? (
        <Button size="xs" onClick={() => onAskKey(server)}>
          Connect with its key…<span className={classes.unseen}> {name}</span>
        </Button>
      ) : (
        <Button size="xs" variant="filled" loading={save.isPending} onClick={connect}>
          Connect<span className={classes.unseen}> {name}</span>
        </Button>
      )}
    </li>
  );
}

/** How many names are listed before the rest is counted. */
const mostNames = 3;

function describeState({ preset, state, models }: LocalModels): string {
  if (state === "loading") return "Loads its model: it answers in a moment.";
  if (state === "no_model") {
    return preset === "ollama"
      ? "Has no model yet: ollama pull llama3.2 gets one."
      : "Has no model yet: load one there.";
  }
  const names = models.slice(0, mostNames).join(", ");
  const more = models.length > mostNames ? ` and ${models.length - mostNames} more` : "";
  const listed = models.length === 0 ? "" : `${formatCount(models.length, "model")}: ${names}${more}`;
  return state === "needs_key" ? [listed, "It asks for its key."].filter(Boolean).join(". ") : listed;
}
