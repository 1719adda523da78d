import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { FolderState, FolderTask } from "#contract";
import type { Logger, Machine } from "#main/base";
import { BuildError } from "#main/build";
import { type DoctorThread, describeInUse, FolderError, type Repaired } from "#main/doctor";
import type { FolderCare } from "#main/rpc";
import type { Service } from "#main/service";
import { DataDirError, describeFileReason, describeKnownError } from "#main/storage";
import type { AppHost } from "./host.ts";
import { viewFindings } from "./view-findings.ts";

export interface FolderCareDeps {
  /** Null where nothing is kept beyond the end. */
  readonly dir: string | null;
  readonly host: Pick<AppHost, "saveFile">;
  readonly thread: DoctorThread;
  /** The service on the folder, which names batches; null while there is none. */
  readonly service: () => Pick<Service, "batches" | "files"> | null;
  /** Closes the service on the folder, and keeps calls waiting. */
  readonly close: () => Promise<void>;
  /** Opens it again. */
  readonly open: () => Promise<void>;
  /** Lets the calls go on that wait: they are answered, or refused with why the folder is closed. */
  readonly admit: () => void;
  /** Repairs the closed folder, as `repairFolder`. */
  readonly repair: (dir: string) => Promise<Repaired>;
  readonly machine: Pick<Machine, "wall">;
  readonly logger: Logger;
}

const taskNames: Readonly<Record<FolderTask, string>> = {
  check: "The data is being checked",
  backup: "A backup is being made",
  repair: "The data folder is being repaired",
};

/** Checks, copies and repairs the data folder for pages, which all see the same state. */
export function createFolderCare(deps: FolderCareDeps): FolderCare & { close(): Promise<void> } {
  const { dir, host, thread, machine, logger } = deps;
  const listeners = new Set<() => void>();
  const cancelled = new FolderError("It was cancelled.");
  let running: { readonly cut: AbortController; readonly ended: Promise<void> } | null = null;
  let state: Omit<FolderState, "suggestedPlace"> = {
    folder: dir,
    task: null,
    check: null,
    backup: null,
    repair: null,
    failure: null,
    closedBecause: null,
    openings: 0,
  };

  function set(next: Partial<typeof state>): void {
    state = { ...state, ...next };
    for (const listener of [...listeners]) listener();
  }

  function requireFree(): string {
    if (dir === null) throw new BuildError("refused", "Sheaf runs without a data folder. Start it with one first.");
    const { task } = state;
    if (task !== null) throw new BuildError("conflict", `${taskNames[task.kind]}. Wait until it has ended.`);
    return dir;
  }

  /** Begins a task. What it rejects with is shown, unless its user ended it. */
  function begin(kind: FolderTask, work: (cut: AbortSignal) => Promise<void>): void {
    const cut = new AbortController();
    set({ task: { kind, done: 0, total: 0 }, failure: null });
    const ended = work(cut.signal)
      .catch((error: unknown) => {
        if (cut.signal.aborted) return;
        logger.warn("A task of the data folder failed", { task: kind, error: String(error) });
        set({ failure: { kind, message: describeFailure(error, dir ?? "") } });
      })
      .finally(() => {
        running = null;
        set({ task: null });
      });
    running = { cut, ended };
  }

  const report = (kind: FolderTask) => (progress: { readonly done: number; readonly total: number }) =>
    set({ task: { kind, ...progress } });

  async function examine(kind: FolderTask, folder: string, signal: AbortSignal): Promise<void> {
    const { findings, ...counts } = await thread.examine(folder, { signal, onProgress: report(kind) });
    set({ check: { ...viewFindings(findings, deps.service()), ...counts, at: machine.wall() } });
  }

  async function reopen(): Promise<void> {
    try {
      await deps.open();
      set({ closedBecause: null, openings: state.openings + 1 });
    } catch (error) {
      logger.error("The data folder can't be opened again", { error: String(error) });
      set({ closedBecause: describeFailure(error, dir ?? "") });
    } finally {
      deps.admit();
    }
  }

  async function repair(folder: string, signal: AbortSignal): Promise<void> {
    const service = deps.service();
    try {
      await deps.close();
      signal.throwIfAborted();
      const repaired = await deps.repair(folder);
      const left = describeInUse(repaired);
      set({
        repair: { ...viewFindings(repaired.findings, service), at: machine.wall() },
        ...(left !== null && { failure: { kind: "repair", message: left } }),
      });
    } finally {
      // An app that ends meanwhile stays closed: its batches send nothing more.
      if (!signal.aborted) await reopen();
    }
    await examine("repair", folder, signal);
  }

  const suggestName = () => `sheaf-backup-${new Date(machine.wall()).toISOString().slice(0, 10)}`;

  return {
    state: () => ({ ...state, suggestedPlace: host.saveFile === undefined ? findFreePlace(suggestName()) : null }),
    closedBecause: () => state.closedBecause,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    check() {
      const folder = requireFree();
      set({ check: null, repair: null });
      begin("check", (signal) => examine("check", folder, signal));
    },
    async backUp(place) {
      requireFree();
      const target = host.saveFile === undefined ? place : await host.saveFile(suggestName());
      if (target === null) return;
      if (!isAbsolute(target)) {
        throw new BuildError("refused", "Enter the whole path of a new folder, from the top of the disk.");
      }
      const folder = requireFree();
      begin("backup", async (signal) => {
        const { findings, batches, deleted, files, bytes } = await thread.backUp(folder, target, {
          signal,
          onProgress: report("backup"),
        });
        const damages = findings.filter(({ isDamage }) => isDamage).length;
        set({ backup: { path: target, bytes, damages, batches, deleted, files, at: machine.wall() } });
      });
    },
    repair() {
      const folder = requireFree();
      begin("repair", (signal) => repair(folder, signal));
    },
    cancel() {
      if (state.task?.kind !== "repair") running?.cut.abort(cancelled);
    },
    reopen() {
      requireFree();
      if (state.closedBecause !== null) begin("repair", reopen);
    },
    async close() {
      running?.cut.abort(cancelled);
      await running?.ended;
    },
  };
}

/** The user's own folder, under a name that nothing has yet. */
function findFreePlace(name: string): string {
  const place = (nth: number) => join(homedir(), nth === 1 ? name : `${name}-${nth}`);
  let nth = 1;
  while (existsSync(place(nth))) nth += 1;
  return place(nth);
}

/** What its user can act on, in a sentence or two. */
function describeFailure(error: unknown, dir: string): string {
  if (error instanceof FolderError || error instanceof DataDirError) return error.message;
  const reason = describeFileReason(error);
  if (reason !== null) return `${dir}: ${reason}.`;
  const known = describeKnownError(error);
  if (known !== null) return known.message;
  return error instanceof Error ? error.message : String(error);
}
