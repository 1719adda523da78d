import { join } from "node:path";
import { z } from "zod";
import { moveInto } from "../io/folders.ts";

/**
 * Moves a file of settings that can't be understood to the quarantine. One that the disk does not hand out stays. Returns what
 * became of it, for a notice.
 */
export function setAside(dataDir: string, name: string, error: unknown): string {
  const path = join(dataDir, name);
  if (!(error instanceof SyntaxError || error instanceof z.ZodError)) return `${path}: ${String(error)}`;
  const quarantine = join(dataDir, "quarantine");
  moveInto(quarantine, path, name);
  return `${path} was moved to ${quarantine}.`;
}
