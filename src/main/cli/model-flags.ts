import type { Command } from "commander";
import { path } from "./flag-types.ts";

/** Which models requests may name. */
export const modelFlags = { models: path.optional() };

/** The flag of the commands that check requests. */
export function withModels(command: Command): Command {
  return command.option("--models <FILE>", "models that requests may name, YAML or JSON (default: the built-in four)");
}
