import type { Claim, VerifyInput, VerifyResult } from "#contract";
import type { Clock, Engine, Ids } from "../../ports.ts";
import { createAnswerFormat, type JudgeAnswer, readJudgeAnswer } from "./judge-answer.ts";
import { createJudgeMessages, type Statement } from "./judge-prompt.ts";

/** What a model is asked with. */
export interface ModelParts {
  readonly engine: Engine;
  readonly model: string;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Longest that one call may take, in milliseconds of the clock. */
  readonly timeout: number;
  /** The system message that the model was trained with, in place of ours. */
  readonly system?: string;
}

export interface Question {
  readonly input: VerifyInput;
  /** What the rules found. */
  readonly found: readonly Claim[];
  readonly statements: readonly Statement[];
  readonly signal: AbortSignal | undefined;
}

export type ModelReply = JudgeAnswer & { readonly usage: VerifyResult["usage"] };

/** Tokens where no answer says how many they were. */
export const noUsage: VerifyResult["usage"] = { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 };

/** Asks a model once. Rejects only when the caller's signal is aborted; whatever else fails is a `problem`. */
export async function askModel(parts: ModelParts, { input, found, statements, signal }: Question): Promise<ModelReply> {
  signal?.throwIfAborted();
  const { engine, model, ids, clock, timeout, system } = parts;
  const deadline = new AbortController();
  const forgetDeadline = clock.after(timeout, () => deadline.abort());
  try {
    const reply = await engine.complete({
      request: {
        model,
        messages: createJudgeMessages(input, found, statements, system),
        temperature: 0,
        response_format: createAnswerFormat(statements.map(({ id }) => id)),
      },
      requestId: ids.create("request"),
      line: null,
      signal: signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]),
    });
    if (!("choices" in reply.body)) return { problem: `it answered with status ${reply.statusCode}`, usage: noUsage };
    const { prompt_tokens, completion_tokens, total_tokens } = reply.body.usage;
    return { ...readJudgeAnswer(reply.body), usage: { completion_tokens, prompt_tokens, total_tokens } };
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.signal.aborted) throw error;
    return { problem: `it did not answer within ${(timeout / 1_000).toLocaleString("en")} seconds`, usage: noUsage };
  } finally {
    forgetDeadline();
  }
}
