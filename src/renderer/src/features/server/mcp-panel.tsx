import type { ServerView } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { CopyButton, ErrorCard } from "../../components/index.ts";
import { writeSettings } from "./code-samples.ts";
import { CodeTabs } from "./code-tabs.tsx";
import panelClasses from "./panel.module.css";
import { Panel, Row } from "./panel.tsx";
import { SecretRow } from "./secret-row.tsx";
import { useServerSwitches } from "./use-server.ts";

interface McpPanelProps {
  readonly mcp: ServerView["mcp"];
  readonly isServerRunning: boolean;
}

/** The endpoint through which assistants verify. */
export function McpPanel({ mcp, isServerRunning }: McpPanelProps) {
  const { enableMcp, disableMcp } = useServerSwitches();
  const { enabled, url, token } = mcp;
  const failed = [enableMcp, disableMcp].find(({ isError }) => isError);
  return (
    <Panel
      title="MCP endpoint"
      state={describeState(enabled, isServerRunning)}
      isOn={enabled}
      isReachable={enabled && isServerRunning}
      isSwitching={enableMcp.isPending || disableMcp.isPending}
      onSwitch={(on) => {
        enableMcp.reset();
        disableMcp.reset();
        if (on) enableMcp.mutate({});
        else disableMcp.mutate({});
      }}
    >
      {failed === undefined ? null : (
        <div className={panelClasses.error}>
          <ErrorCard
            title={failed === enableMcp ? "The endpoint was not turned on" : "The endpoint was not turned off"}
            {...describeError(failed.error)}
          />
        </div>
      )}
      <dl className={panelClasses.list}>
        <Row label="Address" actions={<CopyButton value={url} label="Copy the address" compact />}>
          <code className={panelClasses.code}>{url}</code>
        </Row>
        <SecretRow name="mcp_token" lastFour={token.lastFour} />
        <Row label="Tools">
          <code className={panelClasses.code}>verify</code> and{" "}
          <code className={panelClasses.code}>verify_document</code>: claims of a response, each with a verdict, the
          reason and the evidence
        </Row>
      </dl>
      <CodeTabs
        key={token.lastFour}
        title="Settings for clients"
        secret="mcp_token"
        hasSecret={token.lastFour !== null}
        write={(value) => writeSettings(url, value)}
      />
    </Panel>
  );
}

function describeState(enabled: boolean, isServerRunning: boolean): string {
  if (!enabled) return "Off";
  return isServerRunning ? "On" : "On, but the server is off";
}
