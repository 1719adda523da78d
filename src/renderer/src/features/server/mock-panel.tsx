import { Button, NumberInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ServerView } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { CopyButton, ErrorCard } from "../../components/index.ts";
import { writeSnippets } from "./code-samples.ts";
import { CodeTabs } from "./code-tabs.tsx";
import classes from "./panel.module.css";
import { Panel, Row } from "./panel.tsx";
import { SecretRow } from "./secret-row.tsx";
import { useServerSwitches } from "./use-server.ts";

/** The server that programs on this computer can call. */
export function MockPanel({ server }: { readonly server: ServerView["server"] }) {
  const { start, stop } = useServerSwitches();
  const { running, url, port, key } = server;
  const failed = [start, stop].find(({ isError }) => isError);
  const startAt = (wanted: number) => {
    stop.reset();
    start.mutate({ port: wanted });
  };
  return (
    <Panel
      title="Mock server"
      state={running ? "On" : "Off"}
      isOn={running}
      isSwitching={start.isPending || stop.isPending}
      onSwitch={(on) => {
        start.reset();
        if (on) startAt(port);
        else stop.mutate({});
      }}
    >
      {failed === undefined ? null : (
        <div className={classes.error}>
          <ErrorCard
            title={failed === start ? "The server was not started" : "The server was not stopped"}
            {...describeError(failed.error)}
          />
        </div>
      )}
      <dl className={classes.list}>
        <Row label="Address" actions={<CopyButton value={`${url}/v1`} label="Copy the address" compact />}>
          <code className={classes.code}>{url}/v1</code>
        </Row>
        <Row label="Port">
          <PortForm key={port} port={port} isRunning={running} isStarting={start.isPending} onStart={startAt} />
        </Row>
        <SecretRow name="api_key" lastFour={key.lastFour} />
      </dl>
      <CodeTabs
        key={key.lastFour}
        title="First call"
        secret="api_key"
        hasSecret={key.lastFour !== null}
        write={(value) => writeSnippets(url, value)}
      />
    </Panel>
  );
}

interface PortFormProps {
  readonly port: number;
  readonly isRunning: boolean;
  readonly isStarting: boolean;
  readonly onStart: (port: number) => void;
}

/** The port, which can be another one: a server that runs moves there, one that is off starts there. */
function PortForm({ port, isRunning, isStarting, onStart }: PortFormProps) {
  const [typed, setTyped] = useState<number | string>(port);
  const isChanged = typed !== port;
  const isPort = typeof typed === "number" && Number.isInteger(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPort && isChanged) onStart(typed);
  };
  return (
    <form className={classes.port} onSubmit={submit}>
      <NumberInput
        aria-label="Port"
        aria-describedby="server-port-about"
        className={classes.portField}
        value={typed}
        min={0}
        max={65_535}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        hideControls
        onChange={setTyped}
      />
      {isChanged ? (
        <>
          <Button size="xs" type="submit" loading={isStarting} disabled={!isPort}>
            {isRunning ? "Move there" : "Start there"}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => setTyped(port)}>
            Keep {port}
          </Button>
        </>
      ) : null}
      <span className={classes.portHint} id="server-port-about">
        0 picks a free one
      </span>
    </form>
  );
}
