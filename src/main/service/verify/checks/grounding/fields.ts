import { remember } from "../../remember.ts";
import type { Passage } from "./passage.ts";

/** What somebody studies or plays. */
export interface Field {
  readonly sort: "science" | "sport";
  readonly pattern: RegExp;
}

/** Each with its branches and those who are in it: who is in one branch may be said to be in all, and the other way about. */
const sciences = [
  /^(?:mathemati|topolog|geomet|algebra|calculus$)/,
  /^(?:physic(?:s|ists?)$|quantum$|mechanics$|thermodynam|optics$|astrophysic)/,
  /^(?:biolog|microbiolog|genetic|cytogenetic|botan|zoolog|ecologist|biochem)/,
  /^(?:chemist|chemical|biochem)/,
  /^(?:comput|informatics$|robotics$|programm)/,
  /^(?:astronom|astrophysic|cosmolog)/,
  /^(?:geolog|mineralog)/,
  /^econom(?:ics|ists?)$/,
  /^(?:psycholog|psychiat|psychoanaly)/,
  /^(?:sociolog|anthropolog|ethnolog)/,
  /^linguist/,
  /^philosoph/,
  /^theolog/,
  /^arch(?:a)?eolog/,
];

const sports = [
  /^(?:football|soccer|midfielder|goalkeeper|quarterback)/,
  /^rugby$/,
  /^cricket/,
  /^tennis$/,
  /^baseball/,
  /^basketball/,
  /^hockey/,
  /^volleyball/,
  /^badminton/,
  /^golf/,
  /^box(?:ing|ers?)$/,
  /^wrestl(?:ing|ers?)$/,
  /^swim(?:ming|mers?)$/,
  /^ski(?:ing|ers?)$/,
  /^skat(?:ing|ers?)$/,
  /^cycl(?:ing|ists?)$/,
  /^row(?:ing|ers?)$/,
  /^fenc(?:ing|ers?)$/,
  /^gymnast/,
  /^chess$/,
  /^(?:judo|karate)$/,
];

const fields: readonly Field[] = [
  ...sciences.map((pattern) => ({ sort: "science", pattern }) as const),
  ...sports.map((pattern) => ({ sort: "sport", pattern }) as const),
];

/** The fields that a word speaks of: "topology" of mathematics, "golfer" of golf. */
export function fieldsOf(norm: string): readonly Field[] {
  return norm.length < 4 ? [] : fields.filter(({ pattern }) => pattern.test(norm));
}

/** All fields that a text speaks of. */
export const readFields = remember(({ sentences }: Passage): ReadonlySet<Field> => {
  return new Set([...sentences.values()].flatMap((words) => words.flatMap(({ norm }) => fieldsOf(norm))));
});
