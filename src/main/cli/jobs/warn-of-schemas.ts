import { type Connection, formatCount } from "#contract";
import { checkForConnection } from "#main/requests";
import { scanLines } from "#main/storage";
import { type CommandProcess, printError } from "../command-process.ts";
import type { InputRows } from "../input-rows.ts";

/** Warns of schemas that the batches of a connection can't enforce. Nothing was sent yet, so the user can still stop. */
export async function warnOfSchemas(
  { path, isChosen }: Pick<InputRows, "path" | "isChosen">,
  { name, adapter }: Connection,
  io: CommandProcess,
): Promise<void> {
  const counts = new Map<string, number>();
  let number = 0;
  await scanLines(path, ({ bytes }) => {
    number += 1;
    const text = bytes?.toString() ?? "";
    if (!isChosen(number) || !text.includes('"json_schema"')) return;
    for (const warning of findWarnings(text, number)) counts.set(warning, (counts.get(warning) ?? 0) + 1);
  });
  for (const [warning, count] of counts) printError(`warning: ${formatCount(count, "request")}: ${warning}`, io);

  function findWarnings(text: string, line: number): string[] {
    try {
      const problems = checkForConnection({ name, adapter, bytes: null }, text, line);
      return problems.flatMap(({ severity, message }) => (severity === "warning" ? [message] : []));
    } catch {
      // A line that is no request is refused when the file is checked.
      return [];
    }
  }
}
