import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { securityHeaders } from "./page.ts";

/** A name for `Content-Disposition`: plain for old clients, and whole in UTF-8 (RFC 6266). */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".jsonl": "application/jsonl; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".parquet": "application/vnd.apache.parquet",
};

/** Streams a file that was made for this response, and removes it, sent or not. */
export async function sendExport(response: ServerResponse, file: { path: string; fileName: string }): Promise<void> {
  try {
    const { size } = await stat(file.path);
    response.writeHead(200, {
      ...securityHeaders,
      "content-type": contentTypes[extname(file.fileName)] ?? "application/octet-stream",
      "content-disposition": attachment(file.fileName),
      "content-length": size,
      "cache-control": "no-store",
    });
    await pipeline(createReadStream(file.path), response);
  } finally {
    await rm(file.path, { force: true });
  }
}
