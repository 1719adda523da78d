import type { FileHandle } from "node:fs/promises";

/** Writes all of `bytes` at `position`: one call of the operating system may take a part only. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Reads the `length` bytes at `position`. Fails when the file ends before. */
export async function readFully(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0)
      throw new Error(`The file ends at byte ${position + done}; ${position + length} were expected.`);
    done += bytesRead;
  }
  return bytes;
}
