import { Skeleton, Title } from "@mantine/core";
import { IconAlertTriangle, IconLock } from "@tabler/icons-react";
import type { ServerView } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { ErrorCard } from "../../components/index.ts";
import { McpPanel } from "./mcp-panel.tsx";
import { MockPanel } from "./mock-panel.tsx";
import classes from "./server-page.module.css";
import { useServer } from "./use-server.ts";

/** The app's mock server and its MCP endpoint: on and off, addresses and keys, and how to connect. */
export function ServerPage() {
  const { data, error, isPending, refetch } = useServer();
  return (
    <div className={classes.root}>
      <header className={classes.head}>
        <Title>Server</Title>
        <p className={classes.about}>For programs on this computer: the models of this app, and its verification.</p>
      </header>
      {data !== undefined ? (
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
      <MockPanel server={server} />
      <div className={classes.column}>
        <McpPanel mcp={mcp} isServerRunning={server.running} />
        <p className={classes.secrets} data-stored={areStored}>
          <Icon size={16} stroke={1.7} aria-hidden />
          <span>
            <strong>Key and token.</strong> {secrets.note}
          </span>
        </p>
      </div>
    </div>
  );
}
