import type { Claim, Verdict, VerifyInput, VerifyResult } from "#contract";
import type { ModelDeps } from "../../model/ask-model.ts";
import type { VerifyOptions } from "../types.ts";

/** What a preset judges: claims of one response. Their findings by rules are hints. */
export interface Job {
  readonly input: VerifyInput;
  readonly claims: readonly Claim[];
  readonly options: VerifyOptions;
}

/** The result of a job: each claim judged, or why none is, as a clause. Tokens count either way. */
export type ModelJudgement = { readonly usage: VerifyResult["usage"] } & (
  | { readonly claims: readonly Claim[] }
  | { readonly problem: string }
);

/** One way of asking a model and of reading its answers. */
export type Preset = (parts: ModelDeps, job: Job) => Promise<ModelJudgement>;

/** A claim with one verdict of a model about the whole of it. */
export function toClaim({ span }: Claim, verdict: Verdict, reason: string): Claim {
  return { span, verdict, judge: "model", findings: [{ kind: null, verdict, span, reason, evidence: [] }] };
}
