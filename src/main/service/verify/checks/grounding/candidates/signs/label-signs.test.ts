import { expect, test } from "vitest";
import { readAsked } from "../read-asked.ts";
import { readLabelSigns } from "./label-signs.ts";
import type { Signs } from "./sign-names.ts";
import { findCandidate } from "./test-find-candidate.ts";

const list =
  "Halden club, spring fair on 4 May. Treasurer: Ann Lee; first aid: Dr Bo Chen. Hot kitchen – Cy Dee. Eva Moen sings.";

test.each<readonly [question: string, name: string, signs: Signs]>([
  ["Who is the treasurer of the Halden club?", "Ann", { labelSame: 1 }],
  ["Who is the treasurer of the Halden club?", "Bo", { labelOther: 1 }],
  ["Who gives first aid at the fair?", "Bo", { labelSame: 1 }],
  ["Who works in the kitchen?", "Cy", { labelSame: 0.5 }],
  ["Who works in the kitchen?", "Eva", {}],
])("%s: %s", (question, name, signs) => {
  const { context, candidate } = findCandidate(list, question, name);
  expect(readLabelSigns(context, readAsked(context), candidate)).toEqual(signs);
});
