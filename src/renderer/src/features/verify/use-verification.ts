import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useStore } from "zustand";
import { type Api, useApi, useConnection, useRpc } from "../../bridge/index.ts";
import { cancelConnectionVerification, verifyWithConnection } from "./connection-verification.ts";
import { explainNotReady, toInput } from "./texts.ts";
import { useVerifyDraft } from "./verify-draft.ts";
import { type VerifyRunState, verifyRun } from "./verify-run.ts";

/** Everything that Verify reads, as options for TanStack Query. */
export function createVerifyQueries(api: Api) {
  return {
    history: () => api.verifications.history.queryOptions({ staleTime: 0 }),
    /** A verification never changes. */
    verification: (id: string | null) =>
      api.verifications.fromHistory.queryOptions({
        input: id === null ? skipToken : { id },
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
      }),
    connections: () => api.connections.list.queryOptions({ staleTime: 0 }),
    server: () => api.server.get.queryOptions({ staleTime: 0 }),
    info: () => api.app.info.queryOptions({ staleTime: Number.POSITIVE_INFINITY }),
  };
}

/** Verifying the texts on screen. */
export interface SingleVerification {
  readonly run: VerifyRunState;
  /** Does nothing while the texts are not ready. */
  readonly start: () => void;
  readonly cancel: () => void;
}

export function useVerification(): SingleVerification {
  const rpc = useRpc();
  const api = useApi();
  const queryClient = useQueryClient();
  const isConnected = useConnection().status === "open";
  const isMock = useIsMock();
  const run = useStore(verifyRun.state);

  const start = useCallback(() => {
    const { texts, choice, strict, form, alsoAsk } = useVerifyDraft.getState();
    if (explainNotReady(texts, { choice, isConnected, isMock }) !== null) return;
    const input = { ...toInput(texts, strict, form), ...choice, model: choice.judge === "rules" ? null : choice.model };
    const other = queryClient
      .getQueryData(createVerifyQueries(api).connections().queryKey)
      ?.find(({ id, hasMcp }) => hasMcp && id === alsoAsk);
    if (other === undefined) cancelConnectionVerification();
    else {
      const asked = { ...toInput(texts, strict), connectionId: other.id };
      void verifyWithConnection({ name: other.name, texts }, (signal) =>
        rpc.verifications.verifyWithConnection(asked, { signal }),
      );
    }
    void verifyRun
      .start((signal) => rpc.verifications.verifyResponse(input, { signal }))
      .then((verification) => {
        if (verification === null) return;
        const queries = createVerifyQueries(api);
        queryClient.setQueryData(queries.verification(verification.id).queryKey, verification);
        useVerifyDraft.getState().show(verification.id);
        void queryClient.invalidateQueries({ queryKey: queries.history().queryKey });
      });
  }, [rpc, api, queryClient, isConnected, isMock]);

  const cancel = useCallback(() => {
    verifyRun.cancel();
    cancelConnectionVerification();
  }, []);

  return { run, start, cancel };
}

/** Whether a mock answers here, which can't judge. */
function useIsMock(): boolean {
  return useQuery(createVerifyQueries(useApi()).info()).data?.isMock ?? false;
}

/** Why the texts on screen can't be verified; null when they can be. */
export function useNotReady(): string | null {
  const texts = useVerifyDraft((state) => state.texts);
  const choice = useVerifyDraft((state) => state.choice);
  const isConnected = useConnection().status === "open";
  return explainNotReady(texts, { choice, isConnected, isMock: useIsMock() });
}
