import { createReadStream } from "node:fs";

/**
 * The bytes of a file, which is opened once they are asked for. A stream that is made beforehand ends the process when its file
 * can't be opened and nobody listens yet.
 */
export async function* readBytes(path: string): AsyncGenerator<Buffer, void> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}
