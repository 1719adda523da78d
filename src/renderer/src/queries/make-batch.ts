import type { BatchView, ResultRow } from "#contract";

/** A finished batch for tests; what the test is about is handed in. */
export function makeBatch(about: Partial<BatchView>): BatchView {
  return {
    id: "batch_1",
    name: "Math questions",
    status: "completed",
    models: ["klusterai/Meta-Llama-3.3-70B-Instruct-Turbo"],
    counts: { total: 1_319, completed: 1_319, failed: 0, damaged: 0, neverRan: 0, awaited: 0 },
    ends: null,
    link: null,
    inputFileId: "file_1",
    outputFileId: "file_2",
    errorFileId: null,
    times: {
      created: 0,
      inProgress: 200,
      finalizing: 14_000,
      completed: 14_100,
      failed: null,
      expires: 86_400_000,
      expired: null,
      cancelling: null,
      cancelled: null,
    },
    rate: 94,
    timeLeft: null,
    problemCount: 0,
    connection: null,
    waiting: null,
    unclear: false,
    deadline: null,
    remote: null,
    inDoubt: null,
    endWaitsFor: null,
    readUntil: null,
    notice: null,
    cost: null,
    reused: 0,
    isReadOnly: false,
    isMock: true,
    ...about,
  };
}

/** A line that was answered, for tests. */
export function makeRow(about: Partial<ResultRow>): ResultRow {
  return {
    line: 1,
    customId: "line-1",
    question: "Two plus two?",
    state: "answered",
    answer: "Four.",
    finishReason: "stop",
    end: "complete",
    errorCode: null,
    promptTokens: 12,
    completionTokens: 2,
    milliseconds: 600,
    cost: null,
    reused: false,
    verdict: null,
    claims: null,
    form: null,
    agreement: null,
    grade: null,
    reasoning: null,
    values: {},
    ...about,
  };
}
