/** The form of an upload, as JSON schema: it is read as a stream (upload.ts), so that no schema checks it as a whole. */
export const uploadForm = {
  type: "object",
  required: ["file", "purpose"],
  properties: {
    file: { type: "string", contentMediaType: "application/octet-stream", description: "The JSONL file." },
    purpose: { type: "string", enum: ["batch"] },
    "expires_after[anchor]": { type: "string", enum: ["created_at"] },
    "expires_after[seconds]": {
      type: "integer",
      minimum: 3_600,
      maximum: 2_592_000,
      description: "How long the file is kept. For good unless told.",
    },
  },
};
