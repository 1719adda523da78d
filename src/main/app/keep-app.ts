import type { ServerPeerHandleRequestFn } from "@orpc/standard-server-peer";
import { findEntry } from "#app-paths";
import { type CleanUp, type Machine, openParts } from "#main/base";
import type { ConnectionStore } from "#main/connections";
import { createDoctorThread, type DoctorThread } from "#main/doctor";
import type { Service } from "#main/service";
import { type App, type AppOptions, createApp } from "./create-app.ts";
import type { LinkedFile } from "./exports.ts";
import { createFolderCare, type FolderCareDeps } from "./folder-care.ts";
import type { AppHost } from "./host.ts";
import { createDoors, type Doors } from "./serve-peer.ts";

/** A service on its folder, as a host opens it for the app. */
export interface OpenedService {
  readonly service: Service;
  /** The connections that it was opened with. */
  readonly connections: ConnectionStore;
}

/** `grace`: for how many milliseconds requests in flight are awaited, the service's own by default; `cut` ends that wait. */
type HowToEnd = [grace?: number, cut?: AbortSignal];

/** The app on it; `close` ends both. */
type OpenedApp<Opened> = Opened & { readonly app: App; close(...how: HowToEnd): Promise<void> };

/** Closes the parts of the app. */
export type AppParts = CleanUp<HowToEnd>;

export interface KeepAppDeps<Opened extends OpenedService> extends Pick<FolderCareDeps, "dir" | "repair" | "logger"> {
  /** Opens the service, at the start and after a repair. `parts` close what it was opened with; the service closes with the app. */
  readonly open: (parts: AppParts) => Promise<Opened>;
  /** The same for every app on the folder. */
  readonly options: Omit<AppOptions, keyof OpenedService | "folder" | "host">;
  readonly host: AppHost;
  /** The grace of an app that can't be opened. */
  readonly grace?: number;
  readonly machine: Machine;
  /** Reads the folders of several apps; otherwise the app has a thread of its own, which ends with it. */
  readonly thread?: DoctorThread;
}

/** An app that can close its folder and open it again while its pages stay. Every host has one, and connects its pages to it. */
export interface KeptApp<Opened extends OpenedService = OpenedService> extends Doors {
  /** As it was opened last. */
  current(): OpenedApp<Opened>;
  /** Calls the listener each time that it was opened again. Returns a function that unsubscribes. */
  onReopened(listener: (opened: Opened) => void): () => void;
  takeExport(linkId: string): LinkedFile | null;
  close(...how: HowToEnd): Promise<void>;
}

/** How long a repair waits for requests in flight, in milliseconds, as quitting does: they may be paid. */
const repairGrace = 60_000;

/** Calls of this domain are answered while the folder is closed. */
const folderPath = "/folder/";

/** Opens an app that its folder can be repaired under. Rejects as `open` does. */
export async function keepApp<Opened extends OpenedService>(deps: KeepAppDeps<Opened>): Promise<KeptApp<Opened>> {
  const { dir, host, repair, machine, logger, thread = createDoctorThread(findEntry("doctor-worker")) } = deps;
  const listeners = new Set<(opened: Opened) => void>();
  /** What is opened, and the end of its streams: then pages ask for others. */
  let latest: { readonly opened: OpenedApp<Opened>; readonly end: AbortController };
  let isOpen = true;
  /** Resolves when calls can be answered. */
  let ready: PromiseWithResolvers<void> = Promise.withResolvers();
  ready.resolve();
  /** Ends a repair's wait for requests in flight, because the app itself ends. */
  const hurry = new AbortController();

  function open(): Promise<OpenedApp<Opened>> {
    return openParts(async (parts: AppParts) => {
      const opened = await deps.open(parts);
      const { service, connections } = opened;
      parts.defer(service.close);
      const app = await createApp({ ...deps.options, service, connections, folder, host });
      parts.defer(() => app.close());
      return { ...opened, app };
    }, deps.grace);
  }

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
      const opened = await open();
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
    latest = { opened: await open(), end: new AbortController() };
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
