import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { Claim } from "#contract";
import { formatNumber } from "../format.ts";
import classes from "./claim-list.module.css";
import { keyOf, nameKind, nameSource, quoteEvidence, readContext } from "./describe-claims.ts";
import { lookOfVerdict, VerdictBadge } from "./verdict-badge.tsx";

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
            key={keyOf(claim.span)}
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

/** What a claim that can be picked out needs. */
interface ClaimPick {
  /** One claim of the list is reached with Tab; the arrow keys go on from there. */
  readonly isReachable: boolean;
  readonly onActive: (by: "pointer" | "focus") => void;
  readonly onLeave: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

interface ClaimRowProps {
  readonly claim: Claim;
  /** What the claim is a part of. */
  readonly response: string;
  readonly isActive: boolean;
  readonly pick: ClaimPick | undefined;
}

/** One claim: verdict, what is claimed, the reason, and the parts of the texts that it stands on. */
function ClaimRow({ claim, response, isActive, pick }: ClaimRowProps) {
  const { verdict, judge, findings } = claim;
  const { before, claim: text, after } = readContext(response, claim.span);
  const id = useId();
  const evidence = quoteEvidence(claim);
  const shown = (
    <span className={classes.text}>
      {before}
      {before === "" && after === "" ? text : <strong>{text}</strong>}
      {after}
    </span>
  );
  return (
    <li
      className={classes.row}
      data-tone={lookOfVerdict(verdict).tone}
      data-active={isActive || undefined}
      {...(pick && {
        // A list that scrolls under a pointer at rest is not pointed at.
        onPointerMove: ({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && pick.onActive("pointer"),
        onPointerLeave: pick.onLeave,
      })}
    >
      <div className={classes.verdict} id={`${id}verdict`}>
        <VerdictBadge verdict={verdict} />
        <span className={classes.check}>
          {judge === "model"
            ? "Model"
            : [...new Set(findings.flatMap(({ kind }) => kind ?? []))].map(nameKind).join(", ")}
        </span>
      </div>
      <div className={classes.body}>
        {pick ? (
          <button
            type="button"
            className={classes.claim}
            tabIndex={pick.isReachable ? 0 : -1}
            aria-describedby={`${id}verdict ${id}reason`}
            onFocus={() => pick.onActive("focus")}
            onClick={() => pick.onActive("focus")}
            onKeyDown={pick.onKeyDown}
          >
            {shown}
          </button>
        ) : (
          <span className={classes.claim}>{shown}</span>
        )}
        <div id={`${id}reason`}>
          {findings.map(({ span, reason }) => (
            <p key={`${keyOf(span)} ${reason}`} className={classes.reason}>
              {reason}
            </p>
          ))}
        </div>
        {evidence.length === 0 ? null : (
          <dl className={classes.evidence}>
            {evidence.slice(0, mostQuotes).map((one) => (
              <div key={keyOf(one)} className={classes.quote}>
                <dt>{nameSource(one.source)}</dt>
                <dd>{one.text}</dd>
              </div>
            ))}
          </dl>
        )}
        {evidence.length > mostQuotes ? (
          <p className={classes.others}>and {evidence.length - mostQuotes} more in the texts</p>
        ) : null}
      </div>
    </li>
  );
}

const mostQuotes = 3;
