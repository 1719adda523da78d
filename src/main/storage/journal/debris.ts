import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger, Machine } from "#main/base";
import { isErrno } from "../io/error.ts";

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** A small file that is written whole. */
const smallFile = new RegExp(`^.+\\.${uuid}\\.tmp$`);

/**
 * What a process that ends in the middle of something leaves half written, by folder; `*` is each folder in it. All of these are
 * written by the holder of the data folder alone.
 */
const debris: readonly { readonly folder: readonly string[]; readonly form: RegExp }[] = [
  { folder: [], form: /^(before-\d+|reserve)\.tmp$/ },
  { folder: ["files"], form: /^file-\w+\.part$/ },
  { folder: ["indexes"], form: /^batch_[\w.]+\.part$/ },
  { folder: ["parts", "*"], form: new RegExp(`^${uuid}\\.jsonl$`) },
  { folder: ["sources", "*"], form: new RegExp(`^content[\\w.-]*\\.part$|${smallFile.source}`) },
  ...["drafts", "origins", "prices", "lists", "verdicts", "grades"].map((name) => ({
    folder: [name],
    form: smallFile,
  })),
];

/** Of these in the data folder itself, other processes write some: those that are older than a minute are left over. */
const sharedDebris = new RegExp(`${smallFile.source}|^claim-[0-9a-f]{16}(\\.held)?$`);
const sharedAge = 60_000;
const mostNamed = 10;

/** What processes that ended left half written in a data folder; where one holds it, it may be writing some of these. */
export function listDebris(dir: string, machine: Machine): string[] {
  /** One that is gone meanwhile was being written. */
  const isOld = (path: string) => {
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return machine.wall() - mtimeMs > sharedAge;
  };
  return [
    ...debris.flatMap(({ folder, form }) => findNames(dir, folder, form)),
    ...findNames(dir, [], sharedDebris).filter((name) => isOld(join(dir, name))),
  ];
}

/** Removes what processes that ended left half written in a data folder that this process holds, and names it in the log. */
export function removeDebris(dir: string, { logger, machine }: { logger: Logger; machine: Machine }): void {
  const found = listDebris(dir, machine);
  if (found.length === 0) return;
  for (const name of found) rmSync(join(dir, name), { recursive: true, force: true });
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : "";
  const names = found.slice(0, mostNamed).join(", ");
  logger.warn("Half-written files of a process that ended were removed", { files: `${names}${more}` });
}

/** Paths in `dir` of the files in a folder, of which `*` is any, whose names have a form. */
export function findNames(dir: string, [first, ...rest]: readonly string[], form: RegExp, at = ""): string[] {
  const names = listNames(join(dir, at));
  if (first === undefined) return names.filter((name) => form.test(name)).map((name) => join(at, name));
  const folders = first === "*" ? names : names.filter((name) => name === first);
  return folders.flatMap((name) => findNames(dir, rest, form, join(at, name)));
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return [];
    throw error;
  }
}
