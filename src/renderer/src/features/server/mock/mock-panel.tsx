import type { ServerView } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { CopyButton, ErrorCard } from "../../../components/index.ts";
import { CodeTabs } from "../code/code-tabs.tsx";
import panelClasses from "../panel/panel.module.css";
import { Panel } from "../panel/panel.tsx";
import { Row } from "../panel/row.tsx";
import { SecretRow } from "../secrets/secret-row.tsx";
import { useServerSwitches } from "../use-server.ts";
import { describeDialect, describeEngine, describeTier } from "./describe-server.ts";
import { PortForm } from "./port-form.tsx";
import { writeSnippets } from "./write-snippets.ts";

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
        <div className={panelClasses.error}>
          <ErrorCard
            title={failed === start ? "The server was not started" : "The server was not stopped"}
            {...describeError(failed.error)}
          />
        </div>
      )}
      <dl className={panelClasses.list}>
        <Row label="Address" actions={<CopyButton value={`${url}/v1`} label="Copy the address" compact />}>
          <code className={panelClasses.code}>{url}/v1</code>
        </Row>
        <Row label="Port">
          <PortForm key={port} port={port} isRunning={running} isStarting={start.isPending} onStart={startAt} />
        </Row>
        <SecretRow name="api_key" lastFour={key.lastFour} />
        <Row label="Engine">{describeEngine(server.engine)}</Row>
        <Row label="Limits">{describeTier(server.tier)}</Row>
        <Row label="Dialect">{describeDialect(server.dialect)}</Row>
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
