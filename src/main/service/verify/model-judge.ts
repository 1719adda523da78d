import type { Claim, FindingKind, VerifyInput, VerifyResult } from "#contract";
import { composeClaims } from "./compose-claims.ts";
import { composeResult } from "./compose-result.ts";
import { explain } from "./explain.ts";
import { judgeStatements, type ModelParts } from "./model/index.ts";
import { readInput } from "./read-input.ts";
import type { Verifier, VerifyOptions } from "./types.ts";

/**
 * A model as judge of every sentence; the rules' findings go with the question. Where the model comes to nothing (a
 * refusal, an error, JSON of another form), the result is that of the rules, and its first sentence says so.
 */
export function createModelVerifier(rulesJudge: Verifier, parts: ModelParts): Verifier {
  return {
    judge: "model",
    async verify(input, options = {}) {
      const rules = await rulesJudge.verify(input, signalOf(options));
      const asked = composeClaims(readInput(input).response, []);
      return await askAndCompose(parts, input, { rules, kept: [], asked }, options);
    },
  };
}

/** What rules judge better than a model, and alone. */
const ofRules: ReadonlySet<FindingKind | null> = new Set(["sum", "unit", "instruction", "format", "quotation"]);

/** Sums, units, the form and quotations stay with the rules; the model is asked about all else, and not at all when that is nothing. */
export function createBothVerifier(rulesJudge: Verifier, parts: ModelParts): Verifier {
  return {
    judge: "both",
    async verify(input, options = {}) {
      const rules = await rulesJudge.verify(input, signalOf(options));
      const isOfRules = ({ findings }: Claim) => findings.some(({ kind }) => ofRules.has(kind));
      const asked = rules.claims.filter((claim) => !isOfRules(claim));
      const kept = rules.claims.filter(isOfRules);
      return await askAndCompose(parts, input, { rules, kept, asked }, options);
    },
  };
}

/** The progress that is told is the model's. */
function signalOf({ signal }: VerifyOptions): VerifyOptions {
  return signal === undefined ? {} : { signal };
}

interface Plan {
  /** What the rules came to. */
  readonly rules: VerifyResult;
  /** Claims of theirs that stay. */
  readonly kept: readonly Claim[];
  /** What the model is asked about. */
  readonly asked: readonly Claim[];
}

async function askAndCompose(
  parts: ModelParts,
  input: VerifyInput,
  { rules, kept, asked }: Plan,
  options: VerifyOptions,
): Promise<VerifyResult> {
  options.signal?.throwIfAborted();
  if (asked.length === 0) {
    options.onProgress?.(rules.claims.length, rules.claims.length);
    return rules;
  }
  const found = rules.claims.filter(({ verdict }) => verdict !== "not_checkable");
  const judged = await judgeStatements(parts, input, { found, asked }, options);
  if ("problem" in judged) {
    const explanation = `The rules alone judged, because the model could not: ${judged.problem}. ${rules.explanation}`;
    return { ...rules, explanation, usage: judged.usage };
  }
  const claims = [...kept, ...judged.claims].toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  return composeResult(input, claims, explain(claims, { isEmpty: false, wasCut: false }), judged.usage);
}
