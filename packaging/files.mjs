import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * A package's files, by their paths in its tree, each with what it is.
 * @param {string} tree
 * @returns {{ path: string, stats: import("node:fs").Stats }[]}
 */
export function listTree(tree) {
  return readdirSync(tree, { recursive: true, encoding: "utf8" })
    .sort()
    .map((path) => ({ path, stats: lstatSync(join(tree, path)) }));
}

/** Chromium's other sandbox, for systems without user namespaces, works only with the rights of root. */
export const rootsHelper = /\/chrome-sandbox$/;

/**
 * Gives files the rights that they have when they are installed, whatever the umask here.
 * @param {string} tree
 */
export function setModes(tree) {
  for (const { path, stats } of listTree(tree)) {
    if (stats.isSymbolicLink()) continue;
    // A library that Node loads is none, though compilers make it one.
    const isProgram = stats.isDirectory() || ((stats.mode & 0o100) !== 0 && !path.endsWith(".node"));
    chmodSync(join(tree, path), rootsHelper.test(path) ? 0o4755 : isProgram ? 0o755 : 0o644);
  }
}

/**
 * Runs a program and shows what it prints on its way to an error.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").ExecFileSyncOptions} [options]
 */
export function call(program, args, options = {}) {
  return execFileSync(program, [...args], { stdio: ["ignore", "pipe", "inherit"], ...options, encoding: "utf8" });
}
