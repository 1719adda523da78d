import { TextError } from "../../checked-text/index.ts";

/** Rules that can't be used: every mistake in them, each with its place as `file:line: message`. */
export class RulesError extends TextError {
  override readonly name = "RulesError";
}
