import type { SignName, Signs } from "../sign-names.ts";

/** The signs of all places of one candidate as one: what speaks for it may stand at one of them, what speaks against it at all. */
export function foldPlaces(
  places: readonly Signs[],
  supporting: readonly SignName[],
  opposing: readonly SignName[],
): Signs {
  const signs: Signs = {};
  for (const name of supporting) signs[name] = Math.max(...places.map((each) => each[name] ?? 0));
  for (const name of opposing) signs[name] = Math.min(...places.map((each) => each[name] ?? 0));
  return signs;
}
