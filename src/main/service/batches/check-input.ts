import type { Problem } from "#contract";
import { createLineIndex, type LineIndex } from "../results/index.ts";
import type { BatchParts } from "./parts.ts";

/** What came of the check of a batch's input file. */
export type CheckedInput =
  | { readonly problems: readonly Problem[] }
  | { readonly problems: null; readonly index: LineIndex; readonly models: readonly string[] };

/** Checks the input file of a batch. Null when the signal stopped that. */
export async function checkInput(
  { checker, store, logger }: Pick<BatchParts, "checker" | "store" | "logger">,
  inputFileId: string,
  signal: AbortSignal,
): Promise<CheckedInput | null> {
  try {
    const { report, lineStarts } = await checker.check(store.pathOf(inputFileId), { signal });
    if (report.errorCount > 0) return { problems: report.problems };
    return { problems: null, index: createLineIndex(lineStarts), models: report.models };
  } catch (error) {
    if (signal.aborted) return null;
    logger.error("The input of a batch can't be checked", { file: inputFileId, error: String(error) });
    return { problems: [unreadable] };
  }
}

const unreadable: Problem = {
  code: "file_unreadable",
  message: "The file can't be read from disk. Upload it again.",
  param: null,
  line: null,
  severity: "error",
};
