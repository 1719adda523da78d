import { Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ConnectionView, ConnectionMcp as McpStatus } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import classes from "./settings-page.module.css";

/** Whether a connection verifies responses by MCP, and the switch for that where its service has one. */
export function ConnectionMcp({ connection: { id, name } }: { readonly connection: ConnectionView }) {
  const { connections } = useApi();
  const queryClient = useQueryClient();
  const status = useQuery(connections.mcpStatus.queryOptions({ input: { id }, staleTime: 0, retry: false }));
  const { mutate, error, isPending } = useMutation(
    connections.mcpSetEnabled.mutationOptions({
      onSuccess(next) {
        queryClient.setQueryData(connections.mcpStatus.queryKey({ input: { id } }), next);
        return queryClient.invalidateQueries({ queryKey: connections.list.key() });
      },
    }),
  );
  const failure = error ?? status.error;
  const mcp = status.data;
  return (
    <div className={classes.mcp} data-failed={failure !== null || mcp?.state === "unknown" || undefined}>
      <span role="status">
        <strong>MCP verification{mcp === undefined ? null : stateWords[mcp.state]}.</strong>{" "}
        {failure === null ? (mcp?.message ?? "Asking how it stands…") : describeError(failure).message}
      </span>
      {mcp?.canSwitch ? (
        <Switch
          size="sm"
          aria-label={`MCP verification of ${name}`}
          checked={mcp.state === "on"}
          disabled={isPending}
          onChange={({ currentTarget }) => mutate({ id, enabled: currentTarget.checked })}
        />
      ) : null}
    </div>
  );
}

const stateWords: Readonly<Record<McpStatus["state"], string>> = {
  on: " is on",
  off: " is off",
  missing: " is not offered",
  unknown: "",
};
