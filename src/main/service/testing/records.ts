import type { BatchRecord, FileRecord } from "#main/storage";
import { defaultScope } from "../../base/ports.ts";

/** An upload of a byte; what the test is about is handed in. */
export function makeFileRecord(about: Partial<FileRecord> = {}): FileRecord {
  return {
    id: "file-1",
    filename: "input.jsonl",
    purpose: "batch",
    bytes: 1,
    sha256: null,
    createdAt: 1,
    expiresAt: null,
    faulty: false,
    connection: null,
    generated: false,
    scope: defaultScope,
    vendor: "openai",
    mimeType: null,
    ...about,
  };
}

/** A batch that was just made; what the test is about is handed in. */
export function makeBatchRecord(about: Partial<BatchRecord> = {}): BatchRecord {
  return {
    id: "batch_1",
    endpoint: "/v1/chat/completions",
    completionWindow: "24h",
    inputFileId: "file-1",
    generatedInput: false,
    outputFileId: null,
    errorFileId: null,
    status: "validating",
    endedBy: null,
    times: {
      created: 1,
      inProgress: null,
      finalizing: null,
      completed: null,
      failed: null,
      expires: 86_400_001,
      expired: null,
      cancelling: null,
      cancelled: null,
    },
    counts: { total: 0, completed: 0, failed: 0 },
    ends: null,
    metadata: {},
    models: [],
    problems: [],
    pace: null,
    connection: null,
    connectionName: null,
    prices: null,
    remote: null,
    mayCost: false,
    unclear: false,
    waiting: null,
    notice: null,
    direct: false,
    deadline: null,
    reuse: false,
    reused: null,
    onceIdentical: false,
    copied: null,
    answeredAs: null,
    answerFields: null,
    damaged: null,
    outcome: null,
    lineTries: null,
    usage: null,
    outputLifetime: null,
    link: null,
    scope: defaultScope,
    vendor: "openai",
    ...about,
  };
}
