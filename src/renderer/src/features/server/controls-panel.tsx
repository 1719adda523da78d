import { Button, SegmentedControl, Select } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { EngineChoice, ServerChange, ServerView } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ErrorCard, formatDuration, formatExactTime, ModelPicker, useNow } from "../../components/index.ts";
import classes from "./controls-panel.module.css";
import { FaultFields } from "./fault-fields.tsx";
import panelClasses from "./panel.module.css";
import { Row } from "./panel.tsx";
import { RulesEditor } from "./rules-editor.tsx";
import { NumberField } from "./typed-field.tsx";
import { useServerSwitches } from "./use-server.ts";

/** What answers on this computer, under which limits, how fast, and what goes wrong. All of it works at once. */
export function ControlsPanel({ view }: { readonly view: ServerView }) {
  const { change, turnClock } = useServerSwitches();
  const { server, controls } = view;
  const set = (changed: ServerChange) => change.mutate(changed);
  const failed = [change, turnClock].find(({ isError }) => isError);
  return (
    <section className={panelClasses.panel} aria-labelledby="server-controls">
      <header className={panelClasses.head}>
        <h2 className={panelClasses.title} id="server-controls">
          Behaviour
        </h2>
        <span className={classes.scope}>Works at once, also for batches on this computer</span>
      </header>
      {failed === undefined ? null : (
        <div className={panelClasses.error}>
          <ErrorCard title="Nothing was changed" {...describeError(failed.error)} />
        </div>
      )}
      <dl className={panelClasses.list}>
        <Row label="Engine">
          <EngineField engine={controls.engine} onChange={(engine) => set({ engine })} />
          {controls.engine.kind === "scripted" ? null : (
            <p className={classes.about}>{describeEngine(server.engine)}</p>
          )}
        </Row>
        {controls.engine.kind === "scripted" ? (
          <Row label="Rules">
            <RulesEditor />
          </Row>
        ) : null}
        <Row label="Pace">
          <PaceField pace={controls.pace} onChange={(pace) => set({ pace })} />
        </Row>
        <Row label="Limits">
          <Choice
            label="Limits"
            value={server.tier}
            options={[
              { value: "standard", label: "Standard tier" },
              { value: "free", label: "Free tier" },
            ]}
            onChange={(tier) => set({ tier })}
          />
          <p className={classes.about}>
            {server.tier === "free"
              ? "32,000 tokens of prompt and answer; 1 direct call a minute."
              : "131,000 tokens of prompt and answer; 60 direct calls a minute."}
          </p>
        </Row>
        <Row label="Dialect">
          <Choice
            label="Dialect"
            value={server.dialect}
            options={[
              { value: "service", label: "Hosted service" },
              { value: "openai", label: "OpenAI" },
            ]}
            onChange={(dialect) => set({ dialect })}
          />
          <p className={classes.about}>
            {server.dialect === "service" ? "Some times are text, as there." : "As strict clients expect it."}
          </p>
        </Row>
        <Row label="Faults">
          <FaultFields faults={controls.faults} onChange={(faults) => set({ faults })} />
        </Row>
        <Row label="Clock">
          <ClockRow
            clock={controls.clock}
            isTurning={turnClock.isPending}
            onTurn={(milliseconds) => turnClock.mutate({ milliseconds })}
          />
        </Row>
      </dl>
    </section>
  );
}

interface EngineFieldProps {
  readonly engine: EngineChoice;
  readonly onChange: (engine: EngineChoice) => void;
}

function EngineField({ engine, onChange }: EngineFieldProps) {
  const { data: connections = [] } = useQuery(useApi().connections.list.queryOptions());
  const [first] = connections;
  return (
    <>
      <div className={classes.line}>
        <Choice
          label="Engine"
          value={engine.kind}
          options={[
            { value: "mock", label: "Mock" },
            { value: "scripted", label: "Scripted" },
            { value: "upstream", label: "Upstream", disabled: first === undefined },
          ]}
          onChange={(kind) => {
            if (kind !== "upstream") onChange({ kind });
            else if (first !== undefined) onChange({ kind, connectionId: first.id, model: null });
          }}
        />
      </div>
      {engine.kind === "upstream" ? (
        <div className={classes.upstream}>
          <Select
            size="xs"
            className={classes.choice}
            aria-label="Connection that answers"
            allowDeselect={false}
            data={connections.map(({ id, name }) => ({ value: id, label: name }))}
            value={engine.connectionId}
            onChange={(connectionId) =>
              connectionId !== null && onChange({ kind: "upstream", connectionId, model: null })
            }
          />
          <UpstreamModel key={engine.connectionId} engine={engine} onChange={onChange} />
        </div>
      ) : null}
      {first === undefined ? (
        <p className={classes.about}>Upstream passes requests on to a connection: add one in Settings.</p>
      ) : null}
    </>
  );
}

interface UpstreamModelProps {
  readonly engine: Extract<EngineChoice, { kind: "upstream" }>;
  readonly onChange: (engine: EngineChoice) => void;
}

/** Which of the upstream's models answers. It holds once the field is left, with Enter, or when one is picked. */
function UpstreamModel({ engine, onChange }: UpstreamModelProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const { data: models = [], isFetching } = useQuery(
    useApi().connections.models.queryOptions({
      input: { id: engine.connectionId },
      staleTime: 60_000,
      retry: false,
    }),
  );
  const commit = (name: string) => {
    setTyped(null);
    const model = name.trim() === "" ? null : name.trim();
    if (model !== engine.model) onChange({ ...engine, model });
  };
  return (
    <ModelPicker
      size="xs"
      className={classes.choice}
      aria-label="Model that answers"
      placeholder={isFetching ? "Listing the models…" : "As each request names it"}
      models={models}
      maxLength={200}
      value={typed ?? engine.model ?? ""}
      onChange={setTyped}
      onOptionSubmit={commit}
      onBlur={() => typed !== null && commit(typed)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && typed !== null && !event.defaultPrevented) commit(typed);
        else if (event.key === "Escape") setTyped(null);
      }}
    />
  );
}

/** The engine's own words, as a sentence begins. */
function describeEngine(engine: string): string {
  return `${engine.charAt(0).toUpperCase()}${engine.slice(1)}.`;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly disabled?: boolean }[];
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return <SegmentedControl<Value> size="xs" aria-label={label} data={[...options]} value={value} onChange={onChange} />;
}

type Pace = ServerView["controls"]["pace"];
const usualDelay = 200;

function PaceField({ pace, onChange }: { readonly pace: Pace; readonly onChange: (pace: Pace) => void }) {
  const kind = typeof pace === "number" ? "fixed" : pace;
  return (
    <div className={classes.line}>
      <Choice
        label="Pace"
        value={kind}
        options={[
          { value: "instant", label: "Instant" },
          { value: "realistic", label: "Realistic" },
          { value: "fixed", label: "Fixed" },
        ]}
        onChange={(next) => onChange(next === "fixed" ? usualDelay : next)}
      />
      {typeof pace === "number" ? (
        <NumberField label="Milliseconds an answer" unit="ms" value={pace} most={600_000} isWhole onChange={onChange} />
      ) : null}
    </div>
  );
}

const hour = 3_600_000;

interface ClockRowProps {
  readonly clock: ServerView["controls"]["clock"];
  readonly isTurning: boolean;
  readonly onTurn: (milliseconds: number) => void;
}

function ClockRow({ clock, isTurning, onTurn }: ClockRowProps) {
  const now = useNow(1_000) + clock.ahead;
  const isAhead = clock.ahead > 60_000;
  return (
    <>
      <div className={classes.line}>
        <IconClock size={15} stroke={1.7} aria-hidden />
        <time dateTime={new Date(now).toISOString()} className={classes.time}>
          {formatExactTime(now)}
        </time>
        <Button size="xs" disabled={isTurning} onClick={() => onTurn(hour)}>
          +1 h
        </Button>
        <Button size="xs" disabled={isTurning} onClick={() => onTurn(24 * hour)}>
          +24 h
        </Button>
      </div>
      <p className={classes.about} role="status">
        {isTurning
          ? "Living through what falls due on the way…"
          : isAhead
            ? `${formatDuration(clock.ahead)} ahead. It goes back to real time when Sheaf is started again.`
            : "Real time. Turned forward, batches run out of time and files expire as they would."}
      </p>
    </>
  );
}
