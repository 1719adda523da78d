import { Button, Skeleton } from "@mantine/core";
import { IconAlertTriangle, IconPencil, IconPlugConnected, IconPlus, IconSearch, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ConnectionView, LocalModels } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ConfirmDialog, EmptyState, ErrorCard, formatCount, IconAction } from "../../components/index.ts";
import { useDefaultConnection } from "../../state/default-connection.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { ConnectionDialog } from "./connection-dialog.tsx";
import { describeAdapter } from "./connection-form.ts";
import { ConnectionMcp } from "./connection-mcp.tsx";
import { ConnectionTest } from "./connection-test.tsx";
import { FoundModels, useLocalModels } from "./local-models.tsx";
import { Section } from "./section.tsx";
import classes from "./settings-page.module.css";
import { useConnectionChanges, useConnections, usePresets } from "./use-connections.ts";

/** Which dialog is open, and for which connection: null for a new one. */
type Opened = { readonly dialog: "form" | "remove"; readonly connection: ConnectionView | null } | null;

interface Tested {
  readonly id: string;
  readonly round: number;
  /** It was added just now: as long as it works, it answers new batches, and else what did before. */
  readonly added: { readonly before: string | null } | null;
}

/** The models elsewhere that batches can be answered by. */
export function ConnectionsSection() {
  const { data: connections, error, isPending, refetch } = useConnections();
  const presets = usePresets();
  const [opened, setOpened] = useState<Opened>(null);
  // What was opened last stays in its dialog while that is closing.
  const [edited, setEdited] = useState<ConnectionView | null>(null);
  const [found, setFound] = useState<LocalModels | null>(null);
  const search = useLocalModels();
  const [tested, setTested] = useState<Tested | null>(null);
  const { save } = useConnectionChanges();
  const { connectionId: answering, choose } = useDefaultConnection();
  const test = (id: string, added: Tested["added"] = null) =>
    setTested((before) => ({
      id,
      round: (before?.round ?? 0) + 1,
      added: added ?? (before?.id === id ? before.added : null),
    }));
  const open = (dialog: "form" | "remove", connection: ConnectionView | null) => {
    setEdited(connection);
    setFound(null);
    setOpened({ dialog, connection });
  };
  const answerWith = ({ id }: ConnectionView) => {
    choose(id);
    test(id, { before: answering });
  };
  const add = () => open("form", null);
  useShortcuts("Settings", [{ keys: "N", label: "Add a connection", run: add }]);

  return (
    <Section
      title="Connections"
      aside={
        connections?.length ? (
          <div className={classes.rowActions}>
            <Button size="xs" variant="subtle" loading={search.isLooking} onClick={search.look}>
              Find local models
            </Button>
            <Button size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
              Add connection
            </Button>
          </div>
        ) : null
      }
    >
      {connections === undefined ? (
        isPending ? (
          <Skeleton height={120} radius={10} animate={false} />
        ) : (
          <ErrorCard
            title="The connections could not be read"
            {...describeError(error)}
            onRetry={() => void refetch()}
          />
        )
      ) : connections.length === 0 ? (
        <div className={classes.panel}>
          <EmptyState
            icon={<IconPlugConnected size={26} stroke={1.5} />}
            title="No model is connected yet"
            actions={
              <>
                <Button
                  variant={search.found?.length ? "default" : "filled"}
                  leftSection={<IconSearch size={16} />}
                  loading={search.isLooking}
                  onClick={search.look}
                  data-first-focus
                >
                  Find local models
                </Button>
                <Button onClick={add}>Add connection</Button>
              </>
            }
          >
            A connection is the model or service that answers your batches. Without one, answers are mock data. Find
            local models looks for Ollama, LM Studio, llama.cpp, vLLM and Ray Serve at their usual ports. For a service
            such as OpenAI or Anthropic, add a connection with its key.
          </EmptyState>
        </div>
      ) : (
        <ul className={classes.panel}>
          {connections.map((connection) => (
            <li key={connection.id} className={classes.connection}>
              <ConnectionRow
                connection={connection}
                isAnswering={connection.id === answering}
                onTest={() => test(connection.id)}
                onEdit={() => open("form", connection)}
                onRemove={() => open("remove", connection)}
              />
              {connection.hasMcp ? <ConnectionMcp connection={connection} /> : null}
              {tested?.id === connection.id ? (
                <ConnectionTest
                  key={tested.round}
                  id={connection.id}
                  name={connection.name}
                  round={tested.round}
                  onUse={(url) =>
                    save.mutate({ connection: { ...connection, url } }, { onSuccess: () => test(connection.id) })
                  }
                  onResult={(works) => {
                    if (tested.added !== null) choose(works ? connection.id : tested.added.before);
                  }}
                  onClose={() => setTested(null)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {connections === undefined ? null : (
        <FoundModels
          search={search}
          connections={connections}
          presets={presets.data ?? []}
          onConnected={answerWith}
          onAskKey={(server) => {
            open("form", null);
            setFound(server);
          }}
        />
      )}
      <KeyPlace />
      <ConnectionDialog
        opened={opened?.dialog === "form"}
        connection={edited}
        found={found}
        presets={presets.data ?? []}
        takenNames={connections?.map(({ name }) => name) ?? []}
        onClose={() => setOpened(null)}
        onSaved={edited === null ? answerWith : ({ id }) => test(id)}
      />
      <RemoveDialog opened={opened?.dialog === "remove"} connection={edited} onClose={() => setOpened(null)} />
    </Section>
  );
}

interface RowProps {
  readonly connection: ConnectionView;
  /** Whether new batches are answered there. */
  readonly isAnswering: boolean;
  readonly onTest: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function ConnectionRow({ connection, isAnswering, onTest, onEdit, onRemove }: RowProps) {
  const { name, url, adapter, models } = connection;
  const mapped = Object.entries(models);
  return (
    <div className={classes.row}>
      <div className={classes.about}>
        <div className={classes.nameLine}>
          <strong dir="auto">{name}</strong>
          <span className={classes.faint}>{describeAdapter(adapter)}</span>
          {isAnswering ? <span className={classes.answering}>Answers new batches</span> : null}
        </div>
        <code className={classes.url}>{url}</code>
        <div className={classes.faint}>
          {describeKey(connection)}
          {mapped.length === 0 ? null : (
            <span title={mapped.map(([ours, theirs]) => `${ours} = ${theirs}`).join("\n")}>
              {" "}
              · {formatCount(mapped.length, "model name")} of its own
            </span>
          )}
        </div>
      </div>
      <div className={classes.rowActions}>
        <Button size="xs" onClick={onTest}>
          Test<span className={classes.unseen}> {name}</span>
        </Button>
        <IconAction label="Change" name={`Change ${name}`} icon={IconPencil} onClick={onEdit} />
        <IconAction label="Remove…" name={`Remove ${name}…`} icon={IconTrash} onClick={onRemove} />
      </div>
    </div>
  );
}

function describeKey({ hasKey, keyVariable }: ConnectionView): string {
  if (keyVariable !== null) {
    return hasKey ? `Key from the variable ${keyVariable}` : `No key: the variable ${keyVariable} is not set`;
  }
  return hasKey ? "Has a key" : "No key";
}

interface RemoveDialogProps {
  readonly opened: boolean;
  readonly connection: ConnectionView | null;
  readonly onClose: () => void;
}

function RemoveDialog({ opened, connection, onClose }: RemoveDialogProps) {
  const { remove } = useConnectionChanges();
  const { id = "", name = "", unfinishedBatches = 0 } = connection ?? {};
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Remove ${name}?`}
      error={remove.error ? <ErrorCard title="It was not removed" {...describeError(remove.error)} /> : null}
      keep="Keep it"
      confirm="Remove connection"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ id }, { onSuccess: onClose })}
    >
      Its settings and its key are lost. What its batches have answered stays.
      {unfinishedBatches === 0
        ? null
        : ` ${formatCount(unfinishedBatches, "batch", "batches")} there ${unfinishedBatches === 1 ? "has" : "have"} not ended: what is left of ${unfinishedBatches === 1 ? "it" : "them"} is not answered any more.`}
    </ConfirmDialog>
  );
}

/** A notice where keys are in memory only, and lost at the end of this run. */
function KeyPlace() {
  const { data } = useQuery(useApi().server.get.queryOptions());
  if (data === undefined) return null;
  return (
    <p className={classes.note} data-warning={data.secrets.kind === "memory" || undefined}>
      {data.secrets.kind === "memory" ? <IconAlertTriangle size={15} aria-hidden /> : null}
      <span>
        <strong>Keys.</strong> {data.secrets.note}
      </span>
    </p>
  );
}
