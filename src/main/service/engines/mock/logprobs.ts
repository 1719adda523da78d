import type { TokenLogprob } from "#contract";
import { splitTokens } from "../../tokens/index.ts";
import type { Random } from "./random.ts";

type Chance = TokenLogprob["top_logprobs"][number];

const alternatives = [" the", " a", " is", " it", ",", ".", " and", " of", " to", " in", " that", " as", " for", " on"];

/**
 * How likely each token of the text was, and the `top` likeliest in its place: itself the first, each less likely than
 * the one before it, and all together less than certain.
 */
export function composeLogprobs(text: string, top: number, random: Random): TokenLogprob[] {
  return splitTokens(text).map((token) => {
    const chance = 0.5 + random.next() * 0.499;
    const entry = describeChance(token, chance);
    const others = rotate(alternatives, random)
      .filter((other) => other !== token)
      .concat(fillers)
      .slice(0, Math.max(0, top - 1));
    let left = 1 - chance;
    const likeliest = others.map((other) => {
      left /= 2;
      return describeChance(other, left);
    });
    return { ...entry, top_logprobs: top === 0 ? [] : [entry, ...likeliest] };
  });
}

/** There are up to 20 likeliest tokens. */
const fillers = Array.from({ length: 20 }, (_, at) => ` ${String.fromCharCode(97 + at)}${at}`);

function describeChance(token: string, chance: number): Chance {
  return { token, logprob: Math.log(chance), bytes: [...Buffer.from(token)] };
}

function rotate(tokens: readonly string[], random: Random): string[] {
  const at = random.between(0, tokens.length - 1);
  return [...tokens.slice(at), ...tokens.slice(0, at)];
}
