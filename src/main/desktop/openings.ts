import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { app } from "electron";
import type { OpenedFile, PageRequest } from "#contract";
import type { Logger } from "#main/base";
import { BuildError, openTableFile } from "#main/build";
import { appScheme } from "./policy/addresses.ts";
import { mostFiles, readDeepLink, readOpenRequests } from "./policy/open-requests.ts";
import { findStartedFile } from "./policy/started-file.ts";

export interface OpeningsDeps {
  /** The arguments of this start, without the program's own name. */
  readonly args: readonly string[];
  readonly ask: (request: PageRequest) => void;
  readonly logger: Logger;
}

/** What the system opened with the app, for the page to fetch. */
export interface Openings {
  /** Throws a BuildError for an id that was not given out. */
  find(id: string): { readonly path: string; readonly name: string };
  /** Opens files as the system does. */
  open(paths: readonly string[]): void;
  /** Calls the listener with each file that is opened, those so far first, and whether it was there. */
  follow(listener: (file: LookedAt) => void): void;
}

interface LookedAt {
  readonly path: string;
  readonly isThere: boolean;
}

/**
 * Takes what the system wants opened, at this start and later: files and links of ours. They are looked at here, and then
 * wait for the page. Called before `ready`, when macOS hands over what the app was started with.
 */
export function setupOpenings({ args, ask, logger }: OpeningsDeps): Openings {
  const opened = new Map<string, { readonly path: string; readonly name: string }>();
  const lookedAt: LookedAt[] = [];
  let onLook = (file: LookedAt): void => void lookedAt.push(file);

  /** Registers a file that may be a table; what can't be one is reported, and opens nothing. */
  async function register(path: string): Promise<OpenedFile | null> {
    const name = basename(path);
    try {
      const { file, bytes } = await openTableFile(path);
      await file.close();
      const id = randomUUID();
      opened.set(id, { path, name });
      onLook({ path, isThere: true });
      return { id, name, bytes };
    } catch (error) {
      if (!(error instanceof BuildError)) logger.error("A file could not be opened.", { reason: String(error) });
      const message = error instanceof BuildError ? error.message : "It could not be read.";
      onLook({ path, isThere: false });
      ask({ kind: "report", title: `${name} can’t be opened`, message });
      return null;
    }
  }

  async function openFiles(paths: readonly string[]): Promise<void> {
    const found = await Promise.all(paths.slice(0, mostFiles).map(register));
    const files = found.filter((file) => file !== null);
    if (files.length > 0) ask({ kind: "open_tables", files });
    if (paths.length > mostFiles) {
      const message = `${mostFiles} files are opened at a time. Open the others after them.`;
      ask({ kind: "report", title: `${paths.length - mostFiles} files were not opened`, message });
    }
  }

  function openLink(address: string): void {
    const message = "Sheaf’s links lead to a batch or a file, as in sheaf://batch/batch_1.";
    ask(readDeepLink(address) ?? { kind: "report", title: "This link can’t be opened", message });
  }

  function open(given: readonly string[], cwd: string): void {
    const requests = readOpenRequests(given, cwd, process.platform);
    if (requests.kind === "link") openLink(requests.address);
    else void openFiles(requests.paths);
  }

  app.on("open-file", (event, path) => {
    event.preventDefault();
    void openFiles([path]);
  });
  app.on("open-url", (event, address) => {
    event.preventDefault();
    openLink(address);
  });
  app.on("second-instance", (_event, argv, cwd) => open(argv.slice(1), cwd));
  // A copy that was never installed does not make itself the user's program for these links.
  if (app.isPackaged && findStartedFile(process) === null) app.setAsDefaultProtocolClient(appScheme);
  open(args, process.cwd());

  return {
    find(id) {
      const file = opened.get(id);
      if (file === undefined) throw new BuildError("not_found", "This file was opened too long ago. Open it again.");
      return file;
    },
    open: (paths) => void openFiles(paths),
    follow(listener) {
      lookedAt.splice(0).forEach(listener);
      onLook = listener;
    },
  };
}
