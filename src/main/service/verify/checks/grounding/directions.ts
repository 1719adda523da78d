import type { Word } from "../../text/index.ts";

/** Which end of an order a comparison is about. */
export type Direction = "earliest" | "latest" | "most" | "least";

const directions: ReadonlyMap<string, Direction> = new Map(
  (
    [
      ["earliest", "first earlier earliest older oldest elder eldest before sooner prior"],
      ["latest", "later latest younger youngest newer newest last after recently"],
      [
        "most",
        "more most larger largest bigger biggest higher highest taller tallest longer longest greater greatest wider widest heavier heaviest deeper deepest hotter hottest faster fastest",
      ],
      [
        "least",
        "fewer fewest less least smaller smallest lower lowest shorter shortest narrower narrowest lighter lightest cheaper cheapest slower slowest",
      ],
    ] as const
  ).flatMap(([direction, words]) => words.split(" ").map((word): [string, Direction] => [word, direction])),
);

/** The direction of a comparing word; undefined for other words. */
export function directionOf(norm: string): Direction | undefined {
  return directions.get(norm);
}

/** The first comparing word of a text, and its direction; "more recent" is later. */
export function findDirection(words: readonly Word[]): { readonly at: number; readonly direction: Direction } | null {
  const at = words.findIndex(({ norm }) => directions.has(norm));
  const direction = directions.get(words[at]?.norm ?? "");
  if (direction === undefined) return null;
  if (!/^(recent|recently|modern)$/.test(words[at + 1]?.norm ?? "")) return { at, direction };
  return { at, direction: direction === "least" ? "earliest" : "latest" };
}
