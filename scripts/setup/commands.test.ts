import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { inProject } from "./paths.mjs";

test("npm run sheaf takes paths from the user's folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-setup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(inProject("examples/broken-batch.jsonl"), join(folder, "here.jsonl"));
  // npm changes to the project's folder, and this variable has the folder where it was called.
  const options = { cwd: inProject("."), env: { ...process.env, INIT_CWD: folder } };
  const validate = ["scripts/setup.mjs", "sheaf", "validate", "here.jsonl"];
  const finished = promisify(execFile)(process.execPath, validate, options);
  await expect(finished).rejects.toMatchObject({ code: 2, stdout: expect.stringMatching(/^here\.jsonl:2: /) });
});
