import { z } from "zod";
import { type AtomicFile, openOutput } from "./atomic-file.ts";
import type { CommandProcess } from "./command-process.ts";

/** Where the answers of a batch go. */
export interface AnswerWriter {
  /** Writes all lines of a batch, each with its line end, and moves the files into place. */
  writeAll(lines: AsyncIterable<Uint8Array>): Promise<void>;
  /** Removes the files that aren't in place yet. */
  discard(): Promise<void>;
}

const answeredSchema = z.object({ response: z.object({ status_code: z.literal(200) }) });

/**
 * Opens the files for the answers of a batch; `-` is standard output. With `errors`, the lines of requests that failed go
 * there; without, every line goes to `output`.
 */
export async function createAnswerWriter(
  paths: { output: string; errors?: string | undefined },
  io: CommandProcess,
): Promise<AnswerWriter> {
  const files: AtomicFile[] = [];
  const discard = async () => {
    for (const file of files) await file.discard();
  };
  const open = async (path: string) => {
    const file = await openOutput(path, io);
    files.push(file);
    return file;
  };
  try {
    const output = await open(paths.output);
    const errors = paths.errors === undefined ? undefined : await open(paths.errors);
    return {
      async writeAll(lines) {
        for await (const line of lines) {
          await (errors !== undefined && !isAnswered(line) ? errors : output).write(line);
        }
        for (const file of files) await file.commit();
      },
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

function isAnswered(line: Uint8Array): boolean {
  return answeredSchema.safeParse(JSON.parse(Buffer.from(line).toString("utf8"))).success;
}
