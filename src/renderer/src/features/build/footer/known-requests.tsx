import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { KnownCount, Source } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { formatNumber } from "../../../components/index.ts";
import { useBuildInput, useContent, useSession } from "../draft/draft-session.ts";
import type { Check } from "../preview/use-check.ts";
import { createBuildQueries } from "../queries.ts";

const none: KnownCount = { known: 0, identical: 0 };

/** Requests that a connection need not be asked, looked for once the whole file has been checked. */
export function useKnownRequests(source: Source | null, { latest, isChecking }: Check): KnownCount {
  const input = useBuildInput(source);
  const { isRunning, rows } = useStore(useSession().trial.state);
  const isReady = input?.template.connectionId != null && !isChecking && latest?.finished === true && !latest.blocked;
  const wanted = isReady && input !== null ? withBoth(input) : null;
  const query = useQuery({
    ...createBuildQueries(useApi()).known(wanted, rows.filter(({ state }) => state === "answered").length),
    enabled: wanted !== null && !isRunning,
  });
  return query.data ?? none;
}

/** Whether they are used changes nothing of how many there are. */
function withBoth<Input extends NonNullable<ReturnType<typeof useBuildInput>>>(input: Input): Input {
  return input.rows === undefined ? input : { ...input, rows: { ...input.rows, reuse: true, onceIdentical: true } };
}

/** How many of the requests are not asked, as the draft has it. */
export function useSaved({ known, identical }: KnownCount): number {
  const { reuse, onceIdentical } = useContent((content) => content.rows);
  return (reuse ? known : 0) + (onceIdentical ? identical : 0);
}

/** Whether answers that are there already are used; nothing where there are none. */
export function KnownRequests({ known, requests }: { readonly known: number; readonly requests: number }) {
  const { store } = useSession();
  const rows = useContent((content) => content.rows);
  if (known === 0) return null;
  return (
    <Checkbox
      size="xs"
      label={`${formatNumber(known)} of ${formatNumber(requests)} are answered already: use them`}
      checked={rows.reuse}
      onChange={({ currentTarget }) => store.edit({ rows: { ...rows, reuse: currentTarget.checked } })}
    />
  );
}
