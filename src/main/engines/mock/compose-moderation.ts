import { type Moderation, type ModerationCategory, type ModerationRequest, moderationCategories } from "#contract";
import { createRandom, deriveStarts } from "../random.ts";

/** What a text must have to be flagged: the mock reads no more into it. */
const patterns: Readonly<Record<ModerationCategory, RegExp>> = {
  harassment: /\b(idiots?|morons?|losers?|shut up)\b/i,
  "harassment/threatening": /\b(i('| wi)ll (find|hurt|kill) you|watch your back)\b/i,
  hate: /\b(hate (all|those|these) \w+|subhumans?|vermin)\b/i,
  "hate/threatening": /\b(wipe (them|those|these)( \w+)? out|exterminate)\b/i,
  illicit: /\b(launder money|fake (ids?|passports?)|shoplift(ing)?|cook meth)\b/i,
  "illicit/violent": /\b(build|make) a (bomb|gun|weapon)\b/i,
  "self-harm": /\b(self[- ]harm|suicid(e|al)|cut myself)\b/i,
  "self-harm/instructions": /\bhow (to|do i) (harm|hurt|kill|cut) (myself|yourself)\b/i,
  "self-harm/intent": /\bi (want|am going|'m going) to (die|(hurt|kill|harm) myself)\b/i,
  sexual: /\b(porn\w*|sexual(ly)? explicit|erotica?)\b/i,
  "sexual/minors": /\bsexual\w*\b.*\b(child(ren)?|minors?)\b/i,
  violence: /\b(kill|murder|stab|shoot|attack|bomb)(s|ed|ing|er)?\b/i,
  "violence/graphic": /\b(gore|dismember\w*|disembowel\w*|blood(y|ied) (corpse|body|bodies))\b/i,
};

const usualModel = "omni-moderation-latest";
/** From here on an input is flagged. */
const threshold = 0.5;

/** Flags inputs by their words: the same input is flagged for the same reasons each time. */
export function composeModeration(
  { model = usualModel, input }: ModerationRequest,
  seed: number,
  id: string,
): Moderation {
  return { id, model, results: listInputs(input).map((each) => judge(each, seed)) };
}

interface ModeratedInput {
  readonly text: string;
  readonly types: readonly ("text" | "image")[];
}

function listInputs(input: ModerationRequest["input"]): ModeratedInput[] {
  if (typeof input === "string") return [{ text: input, types: ["text"] }];
  const parts = input.filter((part) => typeof part !== "string");
  if (parts.length === 0) return input.map((text) => ({ text: String(text), types: ["text"] }));
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const types = [
    ...(texts.length > 0 ? (["text"] as const) : []),
    ...(texts.length < parts.length ? (["image"] as const) : []),
  ];
  return [{ text: texts.join("\n"), types }];
}

function judge({ text, types }: ModeratedInput, seed: number): Moderation["results"][number] {
  const random = createRandom(deriveStarts(seed, `moderation ${text}`).answer);
  const scores = toRecord((category) => {
    const drawn = random.next();
    return patterns[category].test(text) ? 0.8 + drawn * 0.19 : drawn * 0.01;
  });
  const categories = toRecord((category) => scores[category] > threshold);
  return {
    flagged: Object.values(categories).includes(true),
    categories,
    category_scores: scores,
    category_applied_input_types: toRecord(() => [...types]),
  };
}

function toRecord<T>(read: (category: ModerationCategory) => T): Record<ModerationCategory, T> {
  return Object.fromEntries(moderationCategories.map((category) => [category, read(category)])) as Record<
    ModerationCategory,
    T
  >;
}
