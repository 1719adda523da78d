import { posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageRequest } from "#contract";
import { appScheme } from "./addresses.ts";

/** What the system wants opened: paths of tables, or the address of a link of ours. */
export type OpenRequests =
  | { readonly kind: "files"; readonly paths: readonly string[] }
  | { readonly kind: "link"; readonly address: string };

/** The files that the system opens with the app. */
const tableName = /\.(jsonl|csv|tsv|xlsx|json|parquet)$/i;
/** The most that are opened at a time: each becomes a draft. */
export const mostFiles = 20;

/** The link of ours among arguments. A program that can start us with a link could add any other argument to it. */
export function findLink(args: readonly string[]): string | undefined {
  return args.find((argument) => argument.toLowerCase().startsWith(`${appScheme}:`));
}

/**
 * Reads what a start of the app, its first one or a further one, is to open. `args` are without the program's own name;
 * relative paths are in `cwd`. Flags, what has no table's name and what is on another computer are left out; with a link
 * every other argument is.
 */
export function readOpenRequests(args: readonly string[], cwd: string, platform: NodeJS.Platform): OpenRequests {
  const address = findLink(args);
  if (address !== undefined) return { kind: "link", address };
  const paths = args.flatMap((argument) => readLocalPath(argument, cwd, platform) ?? []);
  return { kind: "files", paths: [...new Set(paths)] };
}

/** The absolute path of a table on this computer that an argument names; null for anything else. */
function readLocalPath(argument: string, cwd: string, platform: NodeJS.Platform): string | null {
  const named = /^[a-z][a-z\d+.-]+:/i.test(argument) ? readFileUrl(argument, platform) : argument;
  if (named === null || named.startsWith("-") || named.includes("\0") || !tableName.test(named)) return null;
  const path = platform === "win32" ? win32.resolve(cwd, named) : posix.resolve(cwd, named);
  // A share of another computer, or a device: Windows would log in there to look at it.
  return platform === "win32" && path.startsWith("\\\\") ? null : path;
}

function readFileUrl(address: string, platform: NodeJS.Platform): string | null {
  const url = URL.parse(address);
  if (url === null || url.protocol !== "file:" || url.host !== "" || url.search !== "" || url.hash !== "") return null;
  try {
    return fileURLToPath(url, { windows: platform === "win32" });
  } catch {
    return null;
  }
}

const linkPath = /^\/([A-Za-z0-9_-]{1,100})\/?$/;

/**
 * The page that a link names: `sheaf://batch/<id>` or `sheaf://file/<id>`. Null for everything else, among it the page's own
 * addresses below `sheaf://app`: a link does nothing but show what is there.
 */
export function readDeepLink(address: string): PageRequest | null {
  const url = URL.parse(address);
  if (url === null || url.protocol !== `${appScheme}:`) return null;
  // The parser drops an empty query, and a port of our scheme has no default that it could drop.
  const isPlain = url.username === "" && url.password === "" && url.port === "" && !/[?#@]/.test(address);
  const id = linkPath.exec(url.pathname)?.[1];
  if (!isPlain || id === undefined) return null;
  if (url.hostname === "batch") return { kind: "show_batch", id };
  return url.hostname === "file" ? { kind: "show_file", id } : null;
}
