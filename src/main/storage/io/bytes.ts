import type { FileHandle } from "node:fs/promises";
import { ServiceError } from "#main/base";

/** Writes all of `bytes` at `position`: one call of the operating system may take a part only. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Reads the `length` bytes at `position`. Fails with a ServiceError when the file ends before. */
export async function readFully(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) {
      const message = `A file is damaged: it ends at byte ${position + done}, before byte ${position + length}. Check the data folder.`;
      throw new ServiceError("file_damaged", message);
    }
    done += bytesRead;
  }
  return bytes;
}
