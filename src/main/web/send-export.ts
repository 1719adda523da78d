import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { securityHeaders } from "./page.ts";

/** A name for `Content-Disposition`: plain for old clients, and whole in UTF-8 (RFC 6266). */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Streams a file that was made for this response, and removes it, sent or not. */
export async function sendExport(response: ServerResponse, file: { path: string; fileName: string }): Promise<void> {
  try {
    const { size } = await stat(file.path);
    response.writeHead(200, {
      ...securityHeaders,
      "content-type": "application/jsonl; charset=utf-8",
      "content-disposition": attachment(file.fileName),
      "content-length": size,
      "cache-control": "no-store",
    });
    await pipeline(createReadStream(file.path), response);
  } finally {
    await rm(file.path, { force: true });
  }
}
