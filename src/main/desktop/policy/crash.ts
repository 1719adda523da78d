/** Says that a start follows a crash, so that a second one in it ends the app. */
const relaunchedFlag = "--relaunched";

/**
 * The arguments of the start after a crash of the main process: Sheaf's own flags as they were, so that it is on the same
 * data. No file and no link, which may have been why. Null where this start was one already.
 */
export function relaunchArgs(args: readonly string[]): readonly string[] | null {
  if (args.includes(relaunchedFlag)) return null;
  const own = ["engine", "pace", "seed", "data-dir", "secrets", "ephemeral"];
  const kept = args.flatMap((argument, at) => {
    const [flag, value] = [/^--([a-z-]+)(=.*)?$/s.exec(argument)?.[1] ?? "", argument.includes("=")];
    if (!own.includes(flag)) return [];
    const next = args[at + 1];
    return value || flag === "ephemeral" || next === undefined ? [argument] : [argument, next];
  });
  return [...kept, relaunchedFlag];
}

/** The most frames of a report. */
const mostFrames = 50;
const frame =
  /^ {4}at (?:(?<name>[\w$.<> ]{1,100}) (?:\[as [\w$]+\] )?\()?(?<place>.+):(?<line>\d+):(?<column>\d+)\)?$/;

/**
 * Where an error was thrown, as functions and places in files without their folders. Nothing of its message, which may have
 * what the user works on.
 */
export function readFrames(error: unknown): readonly string[] {
  if (!(error instanceof Error) || typeof error.stack !== "string") return [];
  const head = `${error.name}: ${error.message}`;
  const trace = error.stack.startsWith(head) ? error.stack.slice(head.length) : "";
  return trace
    .split("\n")
    .flatMap((line) => {
      const { name = "(anonymous)", place = "", line: row, column } = frame.exec(line)?.groups ?? {};
      const file = /(?:^node:[\w/]+|[\w.-]+\.[cm]?[jt]s)(?=$|\?)/.exec(place)?.[0];
      return file === undefined ? [] : [`${name} ${file}:${row}:${column}`];
    })
    .slice(0, mostFrames);
}
