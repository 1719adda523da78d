import { type FileHandle, open } from "node:fs/promises";
import { extname } from "node:path";
import { RulesError } from "./rules-error.ts";

/**
 * Opens a recording to append to it. What it has already stays; half a line at its end, which a process that died may have
 * left, is cut off. Rejects with a RulesError when the file is something else: nothing is written to it then.
 */
export async function openRecording(path: string): Promise<FileHandle> {
  if (extname(path).toLowerCase() !== ".jsonl") {
    throw new RulesError([`${path}: a recording is JSONL: its name has to end in .jsonl.`]);
  }
  const file = await open(path, "a+", 0o600).catch((error: unknown) => {
    throw new RulesError([
      `${path}: the recording can't be opened: ${error instanceof Error ? error.message : error}.`,
    ]);
  });
  try {
    await mendEnd(file, path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function mendEnd(file: FileHandle, path: string): Promise<void> {
  const { size } = await file.stat();
  const start = await findLastLine(file, size);
  if (start === size) return;
  const line = Buffer.alloc(size - start);
  await file.read(line, 0, line.length, start);
  if (isJson(line.toString())) await file.appendFile("\n");
  else if (line[0] === "{".charCodeAt(0)) await file.truncate(start);
  else throw new RulesError([`${path}: there is a file already, and it is no recording.`]);
}

/** Where the text behind the last line end begins. */
async function findLastLine(file: FileHandle, size: number): Promise<number> {
  const step = 64 * 1024;
  const buffer = Buffer.alloc(step);
  for (let end = size; end > 0; end -= step) {
    const start = Math.max(0, end - step);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const lineEnd = buffer.subarray(0, bytesRead).lastIndexOf("\n");
    if (lineEnd !== -1) return start + lineEnd + 1;
  }
  return 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
