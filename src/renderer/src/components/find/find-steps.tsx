import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { formatNumber } from "#contract";
import { useShortcuts } from "../../state/shortcuts.ts";
import { IconAction } from "../icon-action.tsx";
import classes from "./find-steps.module.css";
import type { Find } from "./use-find.ts";

export interface FindStepsProps {
  readonly find: Find;
  /** What is searched. */
  readonly text: string;
  /** Where it is searched: "this line". */
  readonly within: string;
}

/** How often a searched text is in what is shown, and the ways from one place to the next, by button and key. */
export function FindSteps({ find: { count, place, step }, text, within }: FindStepsProps) {
  const ways = [
    { keys: "shift+N", shown: "Shift N", label: `Previous hit in ${within}`, icon: IconChevronUp, by: -1 },
    { keys: "N", shown: "N", label: `Next hit in ${within}`, icon: IconChevronDown, by: 1 },
  ];
  useShortcuts(
    "Search",
    ways.map(({ keys, label, by }) => ({ keys, label, run: () => step(by) })),
  );
  return (
    <div className={classes.root}>
      <span className={classes.text} dir="auto" title={text}>
        “{text}”
      </span>
      <output className={classes.count}>
        {count === 0 ? "not in this view" : `${formatNumber(place)} of ${formatNumber(count)}`}
      </output>
      {ways.map(({ keys, shown, label, icon, by }) => (
        <IconAction key={keys} label={`${label} (${shown})`} icon={icon} isOff={count === 0} onClick={() => step(by)} />
      ))}
    </div>
  );
}
