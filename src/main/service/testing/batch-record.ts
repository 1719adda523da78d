import { defaultScope } from "../ports.ts";
import type { BatchRecord } from "../store/index.ts";

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
    metadata: {},
    models: [],
    problems: [],
    pace: null,
    connection: null,
    remote: null,
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
    link: null,
    scope: defaultScope,
    vendor: "openai",
    ...about,
  };
}
