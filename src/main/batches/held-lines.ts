import { readFile, rm } from "node:fs/promises";
import { asObject, asText, type EngineError, isObject } from "#main/base";
import type { LineIndex } from "#main/results";
import { createAppender, type Durability, isErrno, parseJson } from "#main/storage";
import type { AnswerFiles } from "./answer-files.ts";

/** A line that was sent, and whose answer was nothing that could be read. */
interface HeldLine {
  readonly line: number;
  readonly customId: string;
  readonly requestId: string;
  /** The error that it is to fail with, which has the text that came. */
  readonly reply: Pick<EngineError, "statusCode" | "body">;
  readonly milliseconds: number;
}

/**
 * Lines of a batch that wait with what came for them: it may have been paid, so that they are not sent again before their user
 * says so, in whatever process. They are in a file of their own until then, or until they fail.
 */
export interface HeldLines {
  readonly size: number;
  has(line: number): boolean;
  /** Resolves when it is on disk. */
  add(line: HeldLine): Promise<void>;
  /** The user has them sent again. */
  release(): Promise<void>;
  /** All other lines were sent: they are failed lines, with their texts. */
  fail(answers: AnswerFiles): Promise<void>;
  close(): Promise<void>;
}

/** Opens those of a batch, which in most cases are none: the file is made with the first. */
export async function openHeldLines(
  path: string,
  index: Pick<LineIndex, "isAnswered">,
  durability: Durability,
): Promise<HeldLines> {
  const before = await read(path);
  const lines = new Set(before.held.map(({ line }) => line).filter((line) => !index.isAnswered(line)));
  let appender = createAppender(path, before.size, durability);

  async function remove(): Promise<void> {
    lines.clear();
    await appender.close();
    await rm(path, { force: true });
    appender = createAppender(path, 0, durability);
  }

  return {
    get size() {
      return lines.size;
    },
    has: (line) => lines.has(line),
    async add(held) {
      lines.add(held.line);
      await appender.append(Buffer.from(`${JSON.stringify(held)}\n`));
    },
    release: remove,
    async fail(answers) {
      if (lines.size === 0) return;
      for (const { line, customId, requestId, reply, milliseconds } of (await read(path)).held) {
        if (!lines.has(line)) continue;
        answers.append({ line, customId, requestId, reply, milliseconds });
        lines.delete(line);
      }
      await answers.drained();
      await remove();
    },
    close: () => appender.close(),
  };
}

/** The lines in a file, and the bytes that they take: half a line at its end is of a process that ended. */
async function read(path: string): Promise<{ held: HeldLine[]; size: number }> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (isErrno(error, "ENOENT")) return Buffer.alloc(0);
    throw error;
  });
  const size = bytes.lastIndexOf("\n") + 1;
  const texts = bytes.subarray(0, size).toString().split("\n");
  return { held: texts.flatMap((text) => parseHeld(parseJson(text)) ?? []), size };
}

function parseHeld(value: unknown): HeldLine | null {
  const { line, customId, requestId, reply, milliseconds } = asObject(value);
  const { statusCode, body } = asObject(reply);
  if (typeof line !== "number" || typeof statusCode !== "number" || !isObject(body) || !isObject(body.error))
    return null;
  return {
    line,
    customId: asText(customId) ?? "",
    requestId: asText(requestId) ?? "",
    // As this file writes it.
    reply: { statusCode, body: body as EngineError["body"] },
    milliseconds: Number(milliseconds),
  };
}
