import { type KeyboardEvent, useId } from "react";
import type { Claim } from "#contract";
import { readContext } from "./claim-context.ts";
import classes from "./claim-row.module.css";
import { keyOf, nameCheck, nameSource, quoteEvidence } from "./describe-claims.ts";
import { VerdictBadge } from "./verdict-badge.tsx";
import { lookOfVerdict } from "./verdict-look.ts";

/** What a claim that can be picked out needs. */
export interface ClaimPick {
  /** One claim of the list is reached with Tab; the arrow keys go on from there. */
  readonly isReachable: boolean;
  readonly onActive: (by: "pointer" | "focus") => void;
  readonly onLeave: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

export interface ClaimRowProps {
  readonly claim: Claim;
  /** What the claim is a part of. */
  readonly response: string;
  readonly isActive: boolean;
  readonly pick: ClaimPick | undefined;
}

/** One claim: verdict, what is claimed, the reason, and the parts of the texts that it stands on. */
export function ClaimRow({ claim, response, isActive, pick }: ClaimRowProps) {
  const { verdict, check, reason } = claim;
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
      className={classes.root}
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
        {nameCheck(check) === null ? null : <span className={classes.check}>{nameCheck(check)}</span>}
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
        <p className={classes.reason} id={`${id}reason`}>
          {reason}
        </p>
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
