import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FileCheckEvent } from "#contract";
import { type Machine, ServiceError } from "#main/base";
import type { ValidationReport } from "#main/requests";
import type { Service } from "#main/service";
import { type FileRecord, followProgress, readBytes, removeFiles, type WriteRules, writeFully } from "#main/storage";

/** Files on their way to the service: each is checked before it becomes one of its files. */
export interface FileUploads {
  begin(bytes: number): Promise<{ id: string }>;
  /** Takes the chunk that follows what is there. */
  append(id: string, offset: number, chunk: Uint8Array): Promise<{ bytes: number }>;
  check(id: string, signal?: AbortSignal): AsyncGenerator<FileCheckEvent, void>;
  store(id: string, filename: string): Promise<FileRecord>;
  discard(id: string): Promise<void>;
  /** Removes what an end without `close` left. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

interface Upload {
  readonly path: string;
  readonly file: FileHandle;
  bytes: number;
}

/** Between two reports of progress, in milliseconds. */
const progressInterval = 100;

const uploadName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createFileUploads(
  service: Pick<Service, "files" | "fileLimits" | "validateFile">,
  folder: string,
  { machine, writeRules }: { readonly machine: Machine; readonly writeRules: Pick<WriteRules, "assertHeld"> },
): FileUploads {
  const uploads = new Map<string, Upload>();
  const tidy = () => removeFiles(folder, uploadName);

  function find(id: string): Upload {
    const upload = uploads.get(id);
    if (upload === undefined)
      throw new ServiceError("not_found", "This upload is no longer there. Choose the file again.");
    return upload;
  }

  function refuseAbove(bytes: number): void {
    const most = service.fileLimits.bytes;
    if (bytes <= most) return;
    const megabytes = (count: number) => `${Math.ceil(count / 1_000_000).toLocaleString("en")} MB`;
    const message = `The file has ${megabytes(bytes)}; ${megabytes(most)} are the most that is taken. Split it into smaller ones.`;
    throw new ServiceError("file_too_large", message);
  }

  async function drop(id: string): Promise<void> {
    const upload = uploads.get(id);
    uploads.delete(id);
    await upload?.file.close().catch(() => undefined);
    if (upload !== undefined) await rm(upload.path, { force: true });
  }

  return {
    async begin(bytes) {
      refuseAbove(bytes);
      writeRules.assertHeld();
      await mkdir(folder, { recursive: true });
      const id = randomUUID();
      const path = join(folder, id);
      uploads.set(id, { path, file: await open(path, "wx", 0o600), bytes: 0 });
      return { id };
    },
    async append(id, offset, chunk) {
      const upload = find(id);
      if (offset !== upload.bytes) return { bytes: upload.bytes };
      refuseAbove(offset + chunk.length);
      writeRules.assertHeld();
      await writeFully(upload.file, chunk, offset);
      upload.bytes += chunk.length;
      return { bytes: upload.bytes };
    },
    async *check(id, signal) {
      const { path, bytes: total } = find(id);
      const check = yield* followProgress<FileCheckEvent, ValidationReport>(
        (report, ended) => {
          report({ phase: "checking", bytes: 0, total });
          const onProgress = (bytes: number) => report({ phase: "checking", bytes, total });
          return service.validateFile(path, { onProgress, signal: ended });
        },
        { machine, interval: progressInterval, signal },
      );
      const { requests, errorCount, warningCount, faultyLines, models, groups } = check;
      const report = { requests, errorCount, warningCount, faultyLines, models: [...models], groups: [...groups] };
      yield { phase: "checked", report };
    },
    async store(id, filename) {
      const { path } = find(id);
      const pending = await service.files.receive(readBytes(path));
      const record = await pending.store({ filename, purpose: "batch" });
      await drop(id);
      return record;
    },
    discard: drop,
    tidy,
    async close() {
      await Promise.all([...uploads.keys()].map(drop));
    },
  };
}
