import { z } from "zod";
import type { FileRecord } from "#main/storage";

const ownPrefix = "file-";
const prefix = "file_";

/** Our id of a file; of what is no id of this API, the empty one that none has. */
export function fromAnthropicFileId(id: string): string {
  return id.startsWith(prefix) ? id.replace(prefix, ownPrefix) : "";
}

/** A file of Anthropic's API. Clients upload files, and only those that a tool wrote can be downloaded. */
export const anthropicFileSchema = z.object({
  id: z.string(),
  type: z.literal("file"),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  downloadable: z.literal(false),
  scope: z.null(),
});
type AnthropicFile = z.infer<typeof anthropicFileSchema>;

/** The answer to the deletion of a file. */
export const deletedAnthropicFileSchema = z.object({ id: z.string(), type: z.literal("file_deleted") });

export function toAnthropicFile({ id, filename, mimeType, bytes, createdAt, expiresAt }: FileRecord): AnthropicFile {
  return {
    id: id.replace(ownPrefix, prefix),
    type: "file",
    filename,
    mime_type: mimeType ?? "application/octet-stream",
    size_bytes: bytes,
    created_at: toTime(createdAt),
    expires_at: expiresAt === null ? null : toTime(expiresAt),
    downloadable: false,
    scope: null,
  };
}

const toTime = (milliseconds: number) => new Date(milliseconds).toISOString();
