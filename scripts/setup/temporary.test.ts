import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chooseTemporary } from "./temporary.mjs";

it("writes to memory where there is room, else to the system's folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-memory-"));
  expect(chooseTemporary({ folder, room: 1 })).toBe(folder);
  expect(chooseTemporary({ folder, room: Number.POSITIVE_INFINITY })).toBe(tmpdir());
  rmSync(folder, { recursive: true });
  expect(chooseTemporary({ folder, room: 1 })).toBe(tmpdir());
});
