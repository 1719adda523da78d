import type { ServerPeerHandleRequestFn } from "@orpc/standard-server-peer";
import { findEntry } from "#app-paths";
import type { CleanUp, Machine } from "#main/base";
import { createDoctorThread, type DoctorThread } from "#main/doctor";
import type { FolderCare } from "#main/rpc";
import type { Service } from "#main/service";
import type { App } from "./create-app.ts";
import type { LinkedFile } from "./exports.ts";
import { createFolderCare, type FolderCareDeps } from "./folder-care.ts";
import type { AppHost } from "./host.ts";
import { createDoors, type Doors } from "./serve-peer.ts";

/** A service on its folder with the app on it, as a host opens them. */
export interface OpenedApp {
  readonly app: App;
  readonly service: Service;
  /** Ends both: what is in flight is awaited for `grace` milliseconds (the service's own by default), or until `cut` is aborted. */
  close(grace?: number, cut?: AbortSignal): Promise<void>;
}

/** What closes the parts of an opened app, as its `close` is told. */
export type AppParts = CleanUp<[grace?: number, cut?: AbortSignal]>;

export interface KeepAppDeps<Opened extends OpenedApp> extends Pick<FolderCareDeps, "dir" | "repair" | "logger"> {
  /** Opens all of it, at the start and after a repair. */
  readonly open: (folder: FolderCare) => Promise<Opened>;
  readonly host: AppHost;
  readonly machine: Machine;
  /** Reads the folders of several apps; otherwise the app has a thread of its own, which ends with it. */
  readonly thread?: DoctorThread;
}

/** An app that can close its folder and open it again while its pages stay. */
export interface KeptApp<Opened extends OpenedApp> extends Doors {
  /** As it was opened last. */
  current(): Opened;
  /** Calls the listener each time that it was opened again. Returns a function that unsubscribes. */
  onReopened(listener: (opened: Opened) => void): () => void;
  takeExport(linkId: string): LinkedFile | null;
  close(grace?: number, cut?: AbortSignal): Promise<void>;
}

/** How long a repair waits for requests in flight, in milliseconds, as quitting does: they may be paid. */
const repairGrace = 60_000;

/** Calls of this domain are answered while the folder is closed. */
const folderPath = "/folder/";

/** Opens an app that its folder can be repaired under. Rejects as `open` does. */
export async function keepApp<Opened extends OpenedApp>(deps: KeepAppDeps<Opened>): Promise<KeptApp<Opened>> {
  const { open, dir, host, repair, machine, logger, thread = createDoctorThread(findEntry("doctor-worker")) } = deps;
  const listeners = new Set<(opened: Opened) => void>();
  /** What is opened, and the end of its streams: then pages ask for others. */
  let latest: { readonly opened: Opened; readonly end: AbortController };
  let isOpen = true;
  /** Resolves when calls can be answered. */
  let ready: PromiseWithResolvers<void> = Promise.withResolvers();
  ready.resolve();
  /** Ends a repair's wait for requests in flight, because the app itself ends. */
  const hurry = new AbortController();

  const folder = createFolderCare({
    dir,
    host,
    thread,
    service: () => (isOpen ? latest.opened.service : null),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      ready = Promise.withResolvers();
      latest.end.abort();
      await latest.opened.close(repairGrace, hurry.signal);
    },
    async open() {
      const opened = await open(folder);
      latest = { opened, end: new AbortController() };
      isOpen = true;
      for (const listener of [...listeners]) listener(opened);
    },
    admit: () => ready.resolve(),
    repair,
    machine,
    logger,
  });

  const closeThread = async () => {
    if (deps.thread === undefined) await thread.close();
  };

  try {
    latest = { opened: await open(folder), end: new AbortController() };
  } catch (error) {
    await folder.close();
    await closeThread();
    throw error;
  }

  const answer: ServerPeerHandleRequestFn = async (request) => {
    if (request.url.pathname.startsWith(folderPath)) return await latest.opened.app.answer(request);
    await ready.promise;
    const { opened, end } = latest;
    const signal = request.signal === undefined ? end.signal : AbortSignal.any([request.signal, end.signal]);
    return await opened.app.answer({ ...request, signal });
  };

  return {
    ...createDoors(answer, logger),
    current: () => latest.opened,
    onReopened(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    takeExport: (linkId) => latest.opened.app.takeExport(linkId),
    async close(grace, cut) {
      const endWait = () => hurry.abort();
      // While it is open, no repair waits for requests.
      const withdraw = isOpen || grace === undefined ? () => {} : machine.after(grace, endWait);
      if (cut?.aborted) endWait();
      cut?.addEventListener("abort", endWait, { once: true });
      await folder.close();
      withdraw();
      try {
        if (isOpen) await latest.opened.close(grace, cut);
      } finally {
        await closeThread();
      }
    },
  };
}
