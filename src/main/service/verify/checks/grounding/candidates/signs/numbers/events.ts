import type { Word } from "../../../../../text/index.ts";
import { relationsOf } from "../../relations.ts";

/** Words for what happens in a year, whatever their part of speech; one line for each kind of event. */
const lines = `
begin begins began begun beginning start starts started founded founding foundation formed form established establish launched launch introduced created set inaugurated commenced
open opens opened opening inaugurated
finish finished complete completed completion built build erected constructed dates
end ends ended cease ceased close closed closes closure stop stopped dissolved disbanded abolished merged bankrupt discontinued shut
release released publish published out premiere premiered issued issue appeared debut shown aired
born birth
die died death dead killed lived
marry married wed wedding
win won winner victory
join joined entered
leave left departed retired
buy bought acquire acquired purchased sold sell
name named renamed
discover discovered found find rediscovered
destroy destroyed demolished blown dynamited burnt burned fell
sink sank sunk wrecked
crown crowned become became succeeded elected appointed
move moved relocated settled
record recorded recording
write wrote written
translate translated translation put
decide decided decision
come came arrive arrived
go went gone travel travelled
take took taken
give gave given
hold held
lead led
meet met
break broke broken
see saw seen
sing sang sung
play played
pass passed become became
climb climbed ascent
lay laid design designed
`;

const families: ReadonlyMap<string, readonly number[]> = gather();

function gather(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, line] of lines.trim().split("\n").entries()) {
    for (const word of line.split(" ")) found.set(word, [...(found.get(word) ?? []), index]);
  }
  return found;
}

/** Whether a word says what happens. */
export function isEvent({ norm, isFunction, isCapital, isNumber }: Word): boolean {
  return !isCapital && !isNumber && (families.has(norm) || (!isFunction && norm.endsWith("ed")));
}

/** Whether two words say that the same happens: "built" and "completed". */
export function isSameEvent(one: Word, other: Word): boolean {
  if (one.key === other.key || one.root === other.root) return true;
  const those = families.get(other.norm) ?? [];
  if (families.get(one.norm)?.some((family) => those.includes(family))) return true;
  return !relationsOf(one.root).isDisjointFrom(relationsOf(other.root));
}
