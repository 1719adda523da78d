import type { Claim, VerifyInput, VerifyResult } from "#contract";
import { noUsage } from "./model/ask-model.ts";

/** The result that claims come to. */
export function composeResult(
  { prompt, response, strict }: VerifyInput,
  claims: readonly Claim[],
  explanation: string,
  usage: VerifyResult["usage"] = noUsage,
): VerifyResult {
  return {
    prompt,
    response,
    is_hallucination: claims.some(({ verdict }) => verdict === "contradicted" || (strict && verdict === "not_found")),
    explanation,
    claims: [...claims],
    search_results: [],
    usage,
  };
}
