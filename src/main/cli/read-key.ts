import { cutKey, findKeyProblem } from "#contract";
import { CliError, exitCodes } from "./cli-error.ts";

/**
 * The key in a text that was typed, or in a variable; null where there is none. `where` begins the message, which repeats
 * nothing of the key but the character that can't be sent.
 * @throws CliError when no header can carry it
 */
export function readKey(text: string | undefined, where: string): string | null {
  const key = cutKey(text ?? "");
  const problem = findKeyProblem(key);
  if (problem === null) return key || null;
  throw new CliError(`${where} has ${problem}. No request can carry it: copy the key again.`, exitCodes.unusable);
}
