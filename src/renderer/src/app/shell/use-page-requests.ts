import { ORPCError } from "@orpc/client";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import type { PageRequest } from "#contract";
import { useRpc } from "../../bridge/index.ts";
import { showFailure } from "../../components/index.ts";
import { followStream } from "../../queries/watch.ts";
import { useOpenedFiles } from "../open-draft.ts";
import { runCommand, useIsDesktop } from "./host-commands.ts";

/** Does what the desktop app asks of its page, one request after the other. In a browser there are none. */
export function usePageRequests(): void {
  const rpc = useRpc();
  const isDesktop = useIsDesktop();
  const perform = useEffectEvent(usePerform());

  useEffect(() => {
    if (!isDesktop) return;
    const end = new AbortController();
    let last = Promise.resolve();
    const open = () => rpc.desktop.requests(undefined, { signal: end.signal });
    const onEvent = (request: PageRequest) => {
      last = last
        .then(() => perform(request))
        .catch((error: unknown) => showFailure("This could not be opened", error));
    };
    void followStream({ open, onEvent }, end.signal);
    return () => end.abort();
  }, [rpc, isDesktop]);
}

function usePerform(): (request: PageRequest) => Promise<void> {
  const rpc = useRpc();
  const navigate = useNavigate();
  const openFiles = useOpenedFiles();
  return async (request) => {
    switch (request.kind) {
      case "open_tables":
        return openFiles(request.files);
      case "show_batch":
        if (!(await exists(rpc.batches.get({ id: request.id })))) return reportMissing("batch", request.id);
        return navigate({ to: "/batches/$batchId", params: { batchId: request.id } });
      case "show_batches":
        return navigate({ to: "/batches" });
      case "show_file": {
        const files = await rpc.files.list();
        if (!files.some(({ id }) => id === request.id)) return reportMissing("file", request.id);
        return navigate({ to: "/files", search: { file: request.id } });
      }
      case "run_command":
        return runCommand(request.id);
      case "report":
        return showFailure(request.title, request.message);
    }
  };
}

async function exists(found: Promise<unknown>): Promise<boolean> {
  try {
    await found;
    return true;
  } catch (error) {
    if (error instanceof ORPCError && error.code === "NOT_FOUND") return false;
    throw error;
  }
}

function reportMissing(what: "batch" | "file", id: string): void {
  showFailure(
    `This ${what} is not here`,
    `There is no ${what} ${id} in this data folder: it was deleted, or is on another computer.`,
  );
}
