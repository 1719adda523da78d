import { longestInputLine } from "#main/requests";
import { customIdOf, findCustomId, idOfLine, type LineIndex, type RequestReader } from "#main/results";
import type { AnswerFiles } from "./answer-files.ts";

/** Why a request never ran (docs/spec/decisions.md, Lines of the output and error files). */
export const skipReasons = {
  damaged: { code: "file_damaged", message: "The input file is damaged on disk: this request was not sent." },
  cancelled: { code: "batch_cancelled", message: "The batch was cancelled before this request was answered." },
  expired: { code: "batch_expired", message: "The batch's completion window ended before this request was answered." },
} as const;

const linesBetweenSigns = 1_000;

/** Records each line without an answer in the error file. */
export async function skipWaiting(
  index: LineIndex,
  reader: RequestReader,
  answers: AnswerFiles,
  reason: (typeof skipReasons)[keyof typeof skipReasons],
  onProgress: () => void,
): Promise<void> {
  for (let line = 1; line <= index.total; line++) {
    if (index.isAnswered(line)) continue;
    const { customId, isDamaged } = await readRequest(line);
    const isKnown = customId !== null;
    const message = isKnown
      ? reason.message
      : `Line ${line} ${isDamaged ? "is damaged on disk" : "can't be read"}. ${reason.message}`;
    const written = isKnown || isDamaged ? customId : idOfLine(line);
    answers.append({ line, customId: written, reply: null, reason: { ...reason, message } });
    if (line % linesBetweenSigns === 0) onProgress();
  }
  await answers.drained();

  async function readRequest(line: number): Promise<{ customId: string | null; isDamaged: boolean }> {
    const { start, end } = index.request(line);
    // Of a batch that ended before its check: no line is read as a whole that would have been refused.
    if (end - start > longestInputLine) return { customId: findCustomId(await reader.head(line)), isDamaged: false };
    if (reader.peek(line) === null) {
      await answers.drained();
      await reader.load(line);
    }
    const isDamaged = !reader.isSound(line);
    return { customId: isDamaged ? null : customIdOf(reader.peek(line) ?? ""), isDamaged };
  }
}
