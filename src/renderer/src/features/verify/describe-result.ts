import type { Claim, JudgeChoice, LineVerdict, Verification, VerifyCheck } from "#contract";
import { countVerdicts, formatDuration, formatNumber, shortModelName } from "../../components/index.ts";

/** The first words of the explanation when it is so (verifyResultSchema). */
export const nothingChecked = "Nothing could be checked";

/** What a verification came to, in one line. */
export interface Headline {
  readonly verdict: LineVerdict;
  readonly words: string;
}

export function describeResult({ result, document }: Verification): Headline {
  const { claims } = result;
  const counts = countVerdicts(claims);
  if (counts.contradicted > 0) {
    const contradicted = claims.filter(({ verdict }) => verdict === "contradicted");
    return { verdict: "hallucination", words: describeContradiction(contradicted, document !== null) };
  }
  if (counts.supported === 0) return { verdict: "not_checkable", words: nothingChecked };
  const isFormOnly = claims.every(({ verdict, check }) => verdict !== "supported" || check === "instructions");
  if (isFormOnly) return { verdict: "supported", words: "In the form that was asked for" };
  const isWhole = counts.not_checkable === 0;
  return { verdict: "supported", words: isWhole ? "Supported" : "Supported, as far as it could be checked" };
}

/** The verdict in one or two sentences, without the words that are the headline already. */
export function explainResult({ result }: Verification): string {
  const rest = result.explanation.slice(nothingChecked.length);
  if (!result.explanation.startsWith(nothingChecked) || !rest.startsWith(": ")) return result.explanation;
  return rest.charAt(2).toUpperCase() + rest.slice(3);
}

/** Where all contradictions are of one kind. */
const ofOneKind: Partial<Record<VerifyCheck, string>> = {
  arithmetic: "The arithmetic is wrong",
  dates: "The dates are wrong",
  instructions: "Not what the prompt asked for",
  consistency: "Contradicts itself",
};

function describeContradiction(contradicted: readonly Claim[], hasDocument: boolean): string {
  const checks = new Set(contradicted.map(({ check }) => check));
  const [only] = checks;
  const said = checks.size === 1 && only !== undefined ? ofOneKind[only] : undefined;
  if (said !== undefined) return said;
  const sources = new Set(contradicted.flatMap(({ evidence }) => evidence.map(({ source }) => source)));
  if (sources.has("document")) return "Contradicted by the document";
  if (checks.has("grounding") && hasDocument) return "Not supported by the document";
  if (sources.has("prompt") || checks.has("grounding")) return "Contradicted by the prompt";
  return "Contradicted";
}

/** How many claims came to what: `2 contradicted, 1 supported`. Empty without claims. */
export function describeCounts(claims: readonly Claim[]): string {
  const { contradicted, supported, not_checkable: open } = countVerdicts(claims);
  const parts = [
    { count: contradicted, word: "contradicted" },
    { count: supported, word: "supported" },
    { count: open, word: "not checkable" },
  ];
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${formatNumber(count)} ${word}`)
    .join(", ");
}

/** Who judges, for people: `Rules`, `Llama 3.3 70B`, `Rules, then Llama 3.3 70B`. */
export function nameJudge({ judge, model }: JudgeChoice): string {
  const name = model === null ? "a model" : shortModelName(model);
  switch (judge) {
    case "rules":
      return "Rules";
    case "model":
      return model === null ? "A model" : name;
    case "both":
      return `Rules, then ${name}`;
  }
}

/** Who judged and how long it took. */
export function describeRun({ choice, milliseconds }: Verification): string {
  return `${nameJudge(choice)}, ${milliseconds < 1 ? "under 1 ms" : formatDuration(milliseconds)}`;
}
