import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { type CommandProcess, printError } from "./command-process.ts";

export const shortestPassphrase = 8;

/** Asks the person at the terminal for the passphrase of a file. Null when they just press Enter. */
export async function askPassphrase(
  file: string,
  purpose: "new" | "known" | "again",
  io: CommandProcess,
): Promise<string | null> {
  if (purpose !== "new") {
    if (purpose === "again") printError("That is not its passphrase.", io);
    return (await askUnseen(`Passphrase of ${file} (Enter to go on without): `, io)) || null;
  }
  for (;;) {
    const first = await askUnseen(`New passphrase for ${file}, at least ${shortestPassphrase} characters: `, io);
    if (first === "") return null;
    if (first.length < shortestPassphrase) printError("That is too short.", io);
    else if ((await askUnseen("The same again: ", io)) === first) return first;
    else printError("These are two different ones.", io);
  }
}

/** What is typed shows nowhere. Ctrl+C ends the process, as it does elsewhere. */
async function askUnseen(question: string, io: CommandProcess): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: io.stdin, output: nowhere, terminal: true });
  const { promise, resolve } = Promise.withResolvers<string>();
  lines.once("SIGINT", () => io.exit(130));
  lines.once("line", resolve);
  lines.once("close", () => resolve(""));
  // Not before the terminal has stopped to show what is typed.
  io.stderr.write(question);
  const answer = await promise;
  lines.close();
  io.stderr.write("\n");
  return answer;
}
