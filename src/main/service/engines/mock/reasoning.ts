import { pickExcerpt } from "./excerpt.ts";
import type { Random } from "./random.ts";

const openings = ["Okay, the user writes", "So the message is", "Let me see. I am given"] as const;
const thoughts = [
  "First I note what is given, then what is wanted.",
  "Wait, is there a second way to read this? The plain one fits better.",
  "Let me check that again from the start.",
  "Each part follows from the one before, so the order is clear.",
  "If something were missing I would have to say so.",
  "That holds. Nothing speaks against it.",
] as const;
const closing = "Now the answer; it is a mock one.";

/** What a reasoning model thinks to itself before it answers: a few lines, one thought in each. */
export function composeReasoning(message: string, random: Random): string {
  const excerpt = pickExcerpt(message);
  const opening = excerpt === null ? "Okay, there is no text to go by." : `${random.pick(openings)} "${excerpt}".`;
  const start = random.between(0, thoughts.length - 1);
  const count = random.between(2, 4);
  const chosen = Array.from({ length: count }, (_, at) => thoughts[(start + at) % thoughts.length] ?? closing);
  return [opening, ...chosen, closing].join("\n");
}
