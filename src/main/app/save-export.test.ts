import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { makeTempDir } from "../service/testing/index.ts";
import { nextName, saveExport } from "./save-export.ts";

/** Moves as Windows does while a spreadsheet has a file open: Excel itself, or what syncs its folder. */
function moveBeside(open: readonly string[], code: string) {
  return async (from: string, to: string) => {
    if (!open.includes(basename(to))) return await rename(from, to);
    throw Object.assign(new Error(`${code}: resource busy or locked, rename`), { code, syscall: "rename", path: from });
  };
}

const write = async (part: string) => {
  await writeFile(part, "new");
  return { lines: 1 };
};

test.each(["EBUSY", "EPERM"])(
  "a file that is open elsewhere (%s) stays, and another name is asked for",
  async (code) => {
    const dir = await makeTempDir();
    const target = join(dir, "answers.csv");
    await writeFile(target, "old");
    await writeFile(join(dir, "answers (2).csv"), "old");
    const asked: string[] = [];
    const ask = async (name: string, reason: string) => {
      asked.push(name, reason);
      return join(dir, name);
    };
    const move = moveBeside(["answers.csv", "answers (2).csv"], code);
    expect(await saveExport(write, target, ask, move)).toEqual({ lines: 1, path: join(dir, "answers (3).csv") });
    expect(asked).toEqual([
      "answers (2).csv",
      "answers.csv is open in another program, such as Excel. Choose another name.",
      "answers (3).csv",
      "answers (2).csv is open in another program, such as Excel. Choose another name.",
    ]);
    expect(await readFile(target, "utf8")).toBe("old");
    expect((await readdir(dir)).sort()).toEqual(["answers (2).csv", "answers (3).csv", "answers.csv"]);

    const refused = saveExport(write, target, async () => null, move);
    await expect(refused).rejects.toThrow(
      "answers.csv is open in another program, such as Excel, and was not changed. Close it there, then export again.",
    );
    expect((await readdir(dir)).length).toBe(3);
    expect(await readFile(target, "utf8")).toBe("old");
  },
);

test("names count up before their extension", () => {
  expect(["a.csv", "a (2).csv", "a (x).csv", "a"].map(nextName)).toEqual([
    "a (2).csv",
    "a (3).csv",
    "a (x) (2).csv",
    "a (2)",
  ]);
});
