import { Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { skipToken, useQuery } from "@tanstack/react-query";
import { describeUnlisted, type Source } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { useContent } from "../draft/draft-session.ts";
import { createBuildQueries } from "../queries.ts";
import classes from "./build-footer.module.css";
import type { Job } from "./jobs.ts";

/** Until a model's name was typed to its end, in milliseconds. */
const typingDelay = 500;
const mostModels = 1_000;

/** Models that the connection does not list, with the nearest names: most often one was mistyped. */
export function UnlistedModels({ source, jobs }: { readonly source: Source | null; readonly jobs: readonly Job[] }) {
  const api = useApi();
  const connectionId = useContent((content) => content.connectionId);
  // A file of requests names its models itself.
  const models = jobs.flatMap(({ input, check }) =>
    source?.holds === "rows" ? [input.template.model] : (check?.models ?? []),
  );
  const named = JSON.stringify([...new Set(models)].filter((model) => model !== "").slice(0, mostModels));
  const [settled] = useDebouncedValue(named, typingDelay);
  const { data: connections = [] } = useQuery(createBuildQueries(api).connections());
  const connection = connections.find(({ id }) => id === connectionId);
  const { data: unlisted = [] } = useQuery(
    api.connections.unlisted.queryOptions({
      input:
        connection === undefined || settled === "[]" ? skipToken : { id: connection.id, models: JSON.parse(settled) },
      staleTime: 60_000,
      retry: false,
    }),
  );
  const [first, ...others] = named === settled ? unlisted : [];
  if (first === undefined || connection === undefined) return null;
  const text = describeUnlisted(first, connection.name);
  return (
    <Tooltip
      label={[first, ...others].map((one) => describeUnlisted(one, connection.name)).join(" ")}
      multiline
      maw={360}
    >
      <span className={classes.unlisted} role="status">
        <IconAlertTriangle size={15} aria-hidden />
        <span className={classes.unlistedText}>
          {text}
          {others.length === 0 ? "" : ` ${others.length} more are not listed.`}
        </span>
      </span>
    </Tooltip>
  );
}
