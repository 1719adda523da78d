import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { ExportRequest } from "#contract";
import { ServiceError } from "#service";
import { type Build, toFileName } from "../build/index.ts";
import type { BatchApi } from "../connections/index.ts";

/** A file that is to be written: what to call it, and how to write it to a path. `write` answers with its lines. */
export interface PlannedExport {
  readonly fileName: string;
  write(path: string): Promise<number>;
}

const newline = 0x0a;

function countLines(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

async function writeChunks(chunks: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  const file = createWriteStream(path);
  const closed = finished(file);
  closed.catch(() => undefined);
  let lines = 0;
  try {
    for await (const chunk of chunks) {
      lines += countLines(chunk);
      if (!file.write(chunk)) await Promise.race([once(file, "drain"), closed]);
    }
  } finally {
    file.end();
  }
  await closed;
  return lines;
}

/** What a request for an export comes to. Throws a ServiceError for a batch that is not there. */
export function planExport(request: ExportRequest, build: Build, api: BatchApi): PlannedExport {
  if (request.what === "input") {
    return {
      fileName: toFileName(request.name, ".jsonl"),
      write: (path) => build.input.writeTo(request.build, path),
    };
  }
  const batch = api.batches.get(request.batchId);
  if (batch === undefined) throw new ServiceError("not_found", "This batch is no longer there.");
  const name = batch.metadata.name ?? batch.id;
  return {
    fileName: toFileName(name, "-results.jsonl"),
    write: (path) => writeChunks(api.results.exportLines(batch.id), path),
  };
}
