import type { Claim, VerifyInput, VerifyResult } from "#contract";
import type { VerifyOptions } from "../types.ts";
import { askModel, type ModelParts, noUsage } from "./ask-model.ts";
import { createClaimMapper, sayNothing } from "./to-claims.ts";

/** Statements in one call, and calls for one verification. */
const statementsPerCall = 40;
const mostCalls = 5;

/** What a model said: a claim or more for each statement, or why there is none. Tokens count either way. */
export type ModelJudgement = { readonly usage: VerifyResult["usage"] } & (
  | { readonly claims: readonly Claim[] }
  | { readonly problem: string }
);

/**
 * Has a model judge statements of a response. The first call that comes to nothing ends it: half of a judgement is none.
 * Statements over the most that are asked for stay as they are.
 */
export async function judgeStatements(
  parts: ModelParts,
  input: VerifyInput,
  { found, asked }: { readonly found: readonly Claim[]; readonly asked: readonly Claim[] },
  { signal, onProgress }: VerifyOptions,
): Promise<ModelJudgement> {
  const toClaims = createClaimMapper(input);
  const claims: Claim[] = [];
  let usage = noUsage;
  const most = Math.min(asked.length, statementsPerCall * mostCalls);
  for (let start = 0; start < most; start += statementsPerCall) {
    const statements = asked
      .slice(start, Math.min(start + statementsPerCall, most))
      .map((claim, index) => ({ id: index + 1, claim }));
    const reply = await askModel(parts, { input, found, statements, signal });
    usage = addUsage(usage, reply.usage);
    if ("problem" in reply) return { problem: reply.problem, usage };
    if (!reply.judgements.some(({ id }) => id <= statements.length)) return { problem: "it judged nothing", usage };
    claims.push(...toClaims(statements, reply.judgements));
    onProgress?.(start + statements.length, asked.length);
  }
  const left = asked.slice(most).map((claim) => sayNothing(claim, "The model was not asked about so many sentences."));
  return { claims: [...claims, ...left], usage };
}

function addUsage(a: VerifyResult["usage"], b: VerifyResult["usage"]): VerifyResult["usage"] {
  return {
    completion_tokens: a.completion_tokens + b.completion_tokens,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  };
}
