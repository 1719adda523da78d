import type { Claim, FindingKind, JudgePreset, VerifyInput, VerifyResult } from "#contract";
import type { ModelDeps } from "../../model/ask-model.ts";
import { composeClaims, gravestOf } from "../compose-claims.ts";
import { composeInput } from "../compose-input.ts";
import { composeResult, explain } from "../compose-result.ts";
import { longestChecked, readInput } from "../read-input.ts";
import type { Verifier } from "../types.ts";
import { judgeGenerally } from "./general.ts";
import { judgeByGraniteGuardian } from "./granite-guardian.ts";
import { judgeByGraniteGuardian4 } from "./granite-guardian-4.ts";
import { judgeByMinicheck } from "./minicheck.ts";
import type { Preset } from "./preset.ts";

const presets: Readonly<Record<JudgePreset, Preset>> = {
  general: judgeGenerally,
  minicheck: judgeByMinicheck,
  "granite-guardian-4": judgeByGraniteGuardian4,
  "granite-guardian": judgeByGraniteGuardian,
};

/** What rules judge better than a model, and alone. */
const ofRules: ReadonlySet<FindingKind | null> = new Set(["sum", "unit", "instruction", "format", "quotation"]);

/** A model as judge: of every sentence, or in `both` of all that is not the rules' own. */
export interface ModelJudgeOptions extends ModelDeps {
  readonly judge: "model" | "both";
  readonly preset: JudgePreset;
}

/**
 * A model as judge, after the rules, whose findings are hints for it. Where the model comes to nothing (a refusal, an error,
 * an answer that can't be read), the result is that of the rules, and its first sentence says so.
 */
export function createModelVerifier(rulesJudge: Verifier, { judge, preset, ...parts }: ModelJudgeOptions): Verifier {
  const ask = presets[preset];
  return {
    judge,
    async verify(original, options = {}) {
      const { signal } = options;
      const { input, restore } = composeInput(original);
      const rules = await rulesJudge.verify(input, signal === undefined ? {} : { signal });
      const claims = judge === "both" ? rules.claims : withHints(input, rules);
      const asked = claims.filter((claim) => judge === "model" || !isOfRules(claim));
      signal?.throwIfAborted();
      if (asked.length === 0) {
        options.onProgress?.(rules.claims.length, rules.claims.length);
        return restore(rules);
      }
      const judged = await ask(parts, { input, claims: asked, options });
      if ("problem" in judged) {
        options.onFallback?.(judged.problem);
        return restore(fallBack(rules, judged.problem, judged.usage));
      }
      const answers = new Map(judged.claims.map((claim, index) => [asked[index], claim] as const));
      const all = claims.map((claim) => merge(claim, answers.get(claim), judge));
      const wasCut = input.response.length > longestChecked;
      return restore(composeResult(input, all, explain(all, { isEmpty: false, wasCut }), judged.usage));
    },
  };
}

/** The sentences of a response, each with what the rules found about it. */
function withHints(input: VerifyInput, rules: VerifyResult): readonly Claim[] {
  const keyOf = ({ span }: Claim) => `${span.start} ${span.end}`;
  const found = new Map(rules.claims.map((claim) => [keyOf(claim), claim]));
  return composeClaims(readInput(input).response, []).map((claim) => {
    const { findings = [], nearest } = found.get(keyOf(claim)) ?? {};
    return { ...claim, findings, ...(nearest && { nearest }) };
  });
}

/** Whether nothing about a claim is left to a model. */
function isOfRules({ findings }: Claim): boolean {
  return findings.length > 0 && findings.every(({ kind }) => ofRules.has(kind));
}

/** What the rules alone judge stays with a claim that a model has judged otherwise; whoever was gravest is its judge. */
function merge(claim: Claim, judged: Claim | undefined, judge: "model" | "both"): Claim {
  if (judged === undefined) return claim;
  const own = claim.findings.filter(({ kind }) => ofRules.has(kind));
  const verdict = gravestOf([...own, judged].map((one) => one.verdict));
  const isOwn = own.some((finding) => finding.verdict === verdict) && judged.verdict !== verdict;
  const findings = isOwn ? [...own, ...judged.findings] : [...judged.findings, ...own];
  const { span, nearest } = claim;
  const by = isOwn ? "rules" : "model";
  const verdicts = judge === "both" && { verdicts: { rules: claim.verdict, model: judged.verdict } };
  return { span, verdict, judge: by, findings, ...(nearest && { nearest }), ...verdicts };
}

function fallBack(rules: VerifyResult, problem: string, usage: VerifyResult["usage"]): VerifyResult {
  return { ...rules, explanation: `The rules alone judged: ${problem}. ${rules.explanation}`, usage };
}
