import { type Claim, type JudgeChoice, type Verdict, type Verification, verdictSchema } from "#contract";
import { countVerdicts, formatDuration, formatNumber, lookOfVerdict, shortModelName } from "../../components/index.ts";

/** The first words of the explanation when it is so (verifyResultSchema). */
const nothingChecked = "Nothing could be checked";

/** What a verification came to, in one line. */
export interface Headline {
  /** Null where an earlier version made it. */
  readonly verdict: Verdict | null;
  readonly words: string;
}

export function describeResult({ result, isEarlier }: Verification): Headline {
  if (isEarlier) return { verdict: null, words: "Made by an earlier version" };
  const counts = countVerdicts(result.claims);
  const verdict = verdictSchema.options.find((one) => counts[one] > 0) ?? "not_checkable";
  return { verdict, words: verdict === "not_checkable" ? nothingChecked : lookOfVerdict(verdict).word };
}

/** The verdict in one or two sentences, without the words that are the headline already. */
export function explainResult({ result }: Verification): string {
  const rest = result.explanation.slice(nothingChecked.length);
  if (!result.explanation.startsWith(nothingChecked) || !rest.startsWith(": ")) return result.explanation;
  return rest.charAt(2).toUpperCase() + rest.slice(3);
}

/** How many claims came to what: `2 of 10 contradicted, 8 not checkable`. Empty without claims. */
export function describeCounts(claims: readonly Claim[]): string {
  const counts = countVerdicts(claims);
  return verdictSchema.options
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict, at) => {
      const of = at === 0 ? ` of ${formatNumber(claims.length)}` : "";
      return `${formatNumber(counts[verdict])}${of} ${lookOfVerdict(verdict).word.toLowerCase()}`;
    })
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
