import type { SpotlightActionData, SpotlightActionGroupData, SpotlightFilterFunction } from "@mantine/spotlight";
import { foldText } from "#contract";

type SpotlightActions = ReturnType<SpotlightFilterFunction>[number];

/** How many of one group are listed while nothing is typed, and while something is. */
const fewest = 8;
const most = 12;

/**
 * The commands that have every word typed in their label or keywords, those first whose label begins with it. Groups
 * keep their order; a long one (the batches) is cut.
 */
export function filterCommands(query: string, actions: SpotlightActions[]): SpotlightActions[] {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  const limit = words.length === 0 ? fewest : most;
  return actions.filter(isGroup).flatMap(({ group, actions: all }) => {
    const found = all.filter((action) => words.every((word) => textOf(action).includes(word)));
    const start = foldText(query.trim());
    const begins = ({ label = "" }: SpotlightActionData) => Number(start !== "" && foldText(label).startsWith(start));
    const sorted = found.toSorted((one, other) => begins(other) - begins(one));
    return sorted.length === 0 ? [] : [{ group, actions: sorted.slice(0, limit) }];
  });
}

function isGroup(action: SpotlightActions): action is SpotlightActionGroupData {
  return "actions" in action;
}

function textOf({ label = "", keywords = [] }: SpotlightActionData): string {
  return foldText([label, ...(typeof keywords === "string" ? [keywords] : keywords)].join("\n"));
}
