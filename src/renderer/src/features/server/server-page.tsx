import { SegmentedControl, Skeleton, Title } from "@mantine/core";
import { IconAlertTriangle, IconLock } from "@tabler/icons-react";
import type { Ref } from "react";
import type { ServerView } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { ErrorCard } from "../../components/index.ts";
import { ControlsPanel } from "./controls-panel.tsx";
import { McpPanel } from "./mcp-panel.tsx";
import { MockPanel } from "./mock-panel.tsx";
import { type RequestsHandle, RequestsPanel } from "./requests-panel.tsx";
import type { ServerSearch } from "./search-params.ts";
import classes from "./server-page.module.css";
import { useServer } from "./use-server.ts";

export interface ServerPageProps {
  readonly search: ServerSearch;
  readonly onSearch: (change: Partial<ServerSearch>) => void;
  readonly requests: Ref<RequestsHandle>;
}

/** The app's mock server and its MCP endpoint: on and off, addresses and keys, what they do, and what they were asked. */
export function ServerPage({ search, onSearch, requests }: ServerPageProps) {
  const { data, error, isPending, refetch } = useServer();
  const tab = search.tab ?? "server";
  return (
    <div className={classes.root} data-tab={tab}>
      <header className={classes.head}>
        <Title>Server</Title>
        <p className={classes.about}>For programs on this computer: the models of this app, and its verification.</p>
        <SegmentedControl
          className={classes.tabs}
          aria-label="What to see of the server"
          data={[
            { value: "server", label: "Settings" },
            { value: "requests", label: "Requests" },
          ]}
          value={tab}
          onChange={(value) => onSearch({ tab: value === "requests" ? "requests" : undefined, request: undefined })}
        />
      </header>
      {data !== undefined && tab === "requests" ? (
        <RequestsPanel search={search} onSearch={onSearch} isServerRunning={data.server.running} handle={requests} />
      ) : data !== undefined ? (
        <Panels view={data} />
      ) : isPending ? (
        <div className={classes.panels} aria-busy>
          <Skeleton height={360} radius={10} animate={false} />
          <Skeleton height={360} radius={10} animate={false} />
        </div>
      ) : (
        <ErrorCard
          title="The server’s state could not be read"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
    </div>
  );
}

function Panels({ view }: { readonly view: ServerView }) {
  const { server, mcp, secrets } = view;
  const areStored = secrets.kind !== "memory";
  const Icon = areStored ? IconLock : IconAlertTriangle;
  return (
    <div className={classes.panels}>
      <div className={classes.column}>
        <MockPanel server={server} />
        <McpPanel mcp={mcp} isServerRunning={server.running} />
        <p className={classes.secrets} data-stored={areStored}>
          <Icon size={16} stroke={1.7} aria-hidden />
          <span>
            <strong>Key and token.</strong> {secrets.note}
          </span>
        </p>
      </div>
      <ControlsPanel view={view} />
    </div>
  );
}
