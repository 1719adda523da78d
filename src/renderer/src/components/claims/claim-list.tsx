import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Claim } from "#contract";
import { formatNumber } from "../format.ts";
import classes from "./claim-list.module.css";
import { ClaimRow } from "./claim-row.tsx";
import { keyOf } from "./describe-claims.ts";

/** Claims that are listed at first, and added with each step. A long response has thousands. */
const atOnce = 100;

export interface ClaimListProps {
  readonly claims: readonly Claim[];
  /** What they are parts of: each is shown with the words around it. */
  readonly response: string;
  /** The place among the claims of the one whose parts are shown in the texts. */
  readonly active?: number | null;
  /** Scrolls the active claim into view: for one that was picked out elsewhere. */
  readonly keepsInView?: boolean;
  /** Told which claim the pointer or the focus is on, and null when on none. Without it the list is only read. */
  readonly onActive?: (index: number | null, by: "pointer" | "focus") => void;
}

/**
 * The claims of a response in its order: each with its verdict, the reason and the evidence. With `onActive` they
 * can be gone through with the arrow keys.
 */
export function ClaimList({ claims, response, active = null, keepsInView = false, onActive }: ClaimListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [most, setMost] = useState(atOnce);
  const shown = claims.slice(0, Math.max(most, (active ?? 0) + 1));
  const rest = claims.length - shown.length;
  const reachable = active ?? 0;

  useEffect(() => {
    if (keepsInView && active !== null) list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [keepsInView, active]);

  const press = (event: KeyboardEvent<HTMLElement>, index: number) => {
    const last = shown.length - 1;
    const wanted = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: last }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    const button = list.current?.children[Math.min(last, Math.max(0, wanted))]?.querySelector("button");
    button?.focus();
  };

  return (
    <div className={classes.root}>
      <ol ref={list} className={classes.list} aria-label="Claims">
        {shown.map((claim, index) => (
          <ClaimRow
            key={`${keyOf(claim.span)} ${claim.check} ${claim.reason}`}
            claim={claim}
            response={response}
            isActive={index === active}
            pick={
              onActive && {
                isReachable: index === reachable,
                onActive: (by) => onActive(index, by),
                onLeave: () => onActive(null, "pointer"),
                onKeyDown: (event) => press(event, index),
              }
            }
          />
        ))}
      </ol>
      {rest > 0 ? (
        <Button size="xs" variant="subtle" className={classes.more} onClick={() => setMost(shown.length + atOnce)}>
          Show {formatNumber(Math.min(rest, atOnce))} more of {formatNumber(rest)}
        </Button>
      ) : null}
    </div>
  );
}
