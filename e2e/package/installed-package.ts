import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { buildPackage } from "../../scripts/package/build-package.ts";
import { ensureBuild } from "../../scripts/setup/build.mjs";
import { runNpm } from "../../scripts/setup/npm.mjs";
import { inProject } from "../../scripts/setup/paths.mjs";
import { type ProcessGroup, startGroup } from "./process-group.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The packed package, installed into a folder that has nothing else but what tests link into it. */
export interface InstalledPackage extends AsyncDisposable {
  /** The project that has the package installed. */
  readonly folder: string;
  readonly tarball: string;
  /** What the tarball was made of. */
  readonly source: string;
  /** Makes packages of the project's own node_modules available. */
  link(...names: string[]): Promise<void>;
  /** Copies a file or folder of this project into the installed one. */
  copy(path: string, target: string): Promise<void>;
  /** Runs a program in the folder: nothing of this project is in its environment. */
  run(program: string, ...args: string[]): Promise<Ended>;
  /** Starts one that prints a line when it is ready. What it started ends with it, and at the latest with the package. */
  start(program: string, ...args: string[]): Promise<{ readonly line: string; stop(): Promise<number | null> }>;
}

/** @param node the program that runs it */
export async function installPackage(node = process.execPath): Promise<InstalledPackage> {
  const root = await mkdtemp(join(tmpdir(), "sheaf-package-"));
  const [folder, source] = [join(root, "project"), join(root, "package")];
  await ensureBuild(process.execPath);
  await Promise.all([mkdir(folder), buildPackage(source)]);
  await callNpm(["pack", "--ignore-scripts", "--pack-destination", root, source]);
  const tarball = join(root, (await readdir(root)).find((name) => name.endsWith(".tgz")) ?? "");
  await cp(inProject("e2e/package/consumer"), folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  await callNpm(["install", "--offline", "--no-audit", "--no-fund", tarball], folder);

  const env = {
    PATH: [dirname(node), join(folder, "node_modules/.bin"), process.env.PATH].join(delimiter),
    HOME: join(root, "home"),
    XDG_CACHE_HOME: join(root, "cache"),
    SHEAF_SECRETS: "memory",
    npm_config_update_notifier: "false",
    ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
    // By this, `npm test` finds processes that are left.
    ...(process.env.SHEAF_TEST_REPORTS && { SHEAF_TEST_REPORTS: process.env.SHEAF_TEST_REPORTS }),
  };
  const options = { cwd: folder, env };
  const started = new Set<ProcessGroup>();

  return {
    folder,
    tarball,
    source,
    async link(...names) {
      for (const name of names) {
        const target = join(folder, "node_modules", name);
        await mkdir(dirname(target), { recursive: true });
        await symlink(inProject(`node_modules/${name}`), target);
      }
    },
    copy: (path, target) => cp(inProject(path), join(folder, target), { recursive: true }),
    run: async (program, ...args) =>
      await readToEnd(spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })),
    async start(program, ...args) {
      const group = startGroup(program, args, options);
      started.add(group);
      const { child } = group;
      const printed = Promise.withResolvers<string>();
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
        if (output.includes("\n")) printed.resolve(output.slice(0, output.indexOf("\n")));
      });
      child.once("close", (code) => printed.reject(new Error(`It ended with ${code} before it was ready.`)));
      return {
        line: await printed.promise,
        async stop() {
          await group.end("SIGTERM");
          started.delete(group);
          return child.exitCode;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Array.from(started, (group) => group.end("SIGKILL")));
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function readToEnd(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Ended> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

async function callNpm(args: readonly string[], cwd?: string): Promise<void> {
  const { code, output } = await runNpm(args, { quiet: true, ...(cwd !== undefined && { cwd }) });
  if (code !== 0) throw new Error(output);
}
