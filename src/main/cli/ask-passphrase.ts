import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { printError } from "./output.ts";

export const shortestPassphrase = 8;

/** Asks the person at the terminal for the passphrase of a file. Null when they just press Enter. */
export async function askPassphrase(file: string, purpose: "new" | "known" | "again"): Promise<string | null> {
  if (purpose !== "new") {
    if (purpose === "again") printError("That is not its passphrase.");
    return (await askUnseen(`Passphrase of ${file} (Enter to go on without): `)) || null;
  }
  for (;;) {
    const first = await askUnseen(`New passphrase for ${file}, at least ${shortestPassphrase} characters: `);
    if (first === "") return null;
    if (first.length < shortestPassphrase) printError("That is too short.");
    else if ((await askUnseen("The same again: ")) === first) return first;
    else printError("These are two different ones.");
  }
}

/** What is typed shows nowhere. Ctrl+C ends the process, as it does elsewhere. */
async function askUnseen(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const { promise, resolve } = Promise.withResolvers<string>();
  lines.once("SIGINT", () => process.exit(130));
  lines.once("line", resolve);
  lines.once("close", () => resolve(""));
  // Not before the terminal has stopped to show what is typed.
  process.stderr.write(question);
  const answer = await promise;
  lines.close();
  process.stderr.write("\n");
  return answer;
}
