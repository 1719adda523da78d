import { Button } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { type Claim, type Finding, type FindingKind, formatNumber, isAboutForm, type NearestPassage } from "#contract";
import classes from "./claim-list.module.css";
import {
  countKinds,
  hasKind,
  keyOf,
  markDiffering,
  markEvidence,
  markFindings,
  nameKind,
  nameSource,
  quoteEvidence,
} from "./describe-claims.ts";
import { MarkedText } from "./marked-text.tsx";
import { FormBadge, VerdictBadge } from "./verdict-badge.tsx";

/** Claims that are listed at first, and added with each step. A long response has thousands. */
const atOnce = 100;
/** A claim is as long as its sentence; where all of the response is one, it is cut. */
const longestClaim = 600;
/** Quotations of each finding. */
const mostQuotes = 3;

export interface ClaimListProps {
  readonly claims: readonly Claim[];
  /** Shows for each claim whether its verdict is by rules or by a model. */
  readonly showsJudge: boolean;
  /** The index of the claim whose parts are shown in the texts. */
  readonly active: number | null;
  /** Scrolls the active claim into view: for one that was picked out elsewhere. */
  readonly keepsInView: boolean;
  /** Called with the claim that the pointer or the focus is on, and null when on none. */
  readonly onActive: (index: number | null, by: "pointer" | "focus") => void;
}

/**
 * The claims of a response in its order: each with its verdict, the reasons and the evidence. They can be narrowed to a
 * kind of finding, and gone through with the arrow keys.
 */
export function ClaimList({ claims, showsJudge, active, keepsInView, onActive }: ClaimListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [most, setMost] = useState(atOnce);
  const [kind, setKind] = useState<FindingKind | null>(null);
  const kinds = countKinds(claims);
  const wanted = kinds.some((one) => one.kind === kind) ? kind : null;
  const indexed = claims.map((claim, index) => ({ claim, index }));
  const hits = wanted === null ? indexed : indexed.filter(({ claim }) => hasKind(claim, wanted));
  const activeAt = hits.findIndex(({ index }) => index === active);
  const shown = hits.slice(0, Math.max(most, activeAt + 1));
  const rest = hits.length - shown.length;
  const reachable = Math.max(0, activeAt);

  useEffect(() => {
    if (keepsInView && activeAt >= 0) list.current?.children[activeAt]?.scrollIntoView({ block: "nearest" });
  }, [keepsInView, activeAt]);

  const press = (event: KeyboardEvent<HTMLElement>, at: number) => {
    const last = shown.length - 1;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const button = list.current?.children[Math.min(last, Math.max(0, next))]?.querySelector("button");
    button?.focus();
  };

  return (
    <div className={classes.root}>
      {kinds.length > 0 && claims.length > 1 ? (
        <KindFilter all={claims.length} kinds={kinds} kind={wanted} onKind={setKind} />
      ) : null}
      <ol ref={list} className={classes.list} aria-label="Claims">
        {shown.map(({ claim, index }, at) => (
          <ClaimRow
            key={keyOf(claim.span)}
            claim={claim}
            showsJudge={showsJudge}
            isActive={index === active}
            isReachable={at === reachable}
            onActive={(by) => onActive(index, by)}
            onLeave={() => onActive(null, "pointer")}
            onKeyDown={(event) => press(event, at)}
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

interface KindFilterProps {
  readonly all: number;
  readonly kinds: ReturnType<typeof countKinds>;
  readonly kind: FindingKind | null;
  readonly onKind: (kind: FindingKind | null) => void;
}

function KindFilter({ all, kinds, kind, onKind }: KindFilterProps) {
  const options = [{ kind: null, count: all }, ...kinds];
  return (
    <fieldset className={classes.kinds} aria-label="Kinds of findings">
      {options.map((one) => (
        <button
          key={one.kind ?? "all"}
          type="button"
          className={classes.kind}
          aria-pressed={one.kind === kind}
          onClick={() => onKind(one.kind)}
        >
          {one.kind === null ? "All" : nameKind(one.kind)}{" "}
          <span className={classes.count}>{formatNumber(one.count)}</span>
        </button>
      ))}
    </fieldset>
  );
}

interface ClaimRowProps {
  readonly claim: Claim;
  readonly showsJudge: boolean;
  readonly isActive: boolean;
  /** One claim of the list is reached with Tab; the arrow keys continue from there. */
  readonly isReachable: boolean;
  readonly onActive: (by: "pointer" | "focus") => void;
  readonly onLeave: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** One claim: verdict, what is claimed, the reasons, and the parts of the texts that are their evidence. */
function ClaimRow({ claim, showsJudge, isActive, isReachable, onActive, onLeave, onKeyDown }: ClaimRowProps) {
  const { span, verdict, judge, findings } = claim;
  const id = useId();
  const kinds = [...new Set(findings.flatMap(({ kind }) => kind ?? []))];
  return (
    <li
      className={classes.row}
      data-active={isActive || undefined}
      // A list that scrolls under a pointer at rest is not pointed at.
      onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && onActive("pointer")}
      onPointerLeave={onLeave}
    >
      <div className={classes.head} id={`${id}verdict`}>
        {isAboutForm(claim) && verdict !== "not_checkable" ? (
          <FormBadge form={verdict === "supported" ? "kept" : "broken"} />
        ) : (
          <VerdictBadge verdict={verdict} />
        )}
        <span className={classes.about}>{kinds.map((kind) => nameKind(kind).toLowerCase()).join(", ")}</span>
        {showsJudge ? <span className={classes.judge}>{judge === "model" ? "by the model" : "by rules"}</span> : null}
      </div>
      <button
        type="button"
        className={classes.claim}
        tabIndex={isReachable ? 0 : -1}
        aria-describedby={`${id}verdict ${id}reasons`}
        onFocus={() => onActive("focus")}
        onClick={() => onActive("focus")}
        onKeyDown={onKeyDown}
      >
        <span className={classes.text} dir="auto">
          <MarkedText text={span.text.slice(0, longestClaim)} from={span.start} marks={markFindings(claim)} />
          {span.text.length > longestClaim ? "…" : null}
        </span>
      </button>
      <ul className={classes.reasons} id={`${id}reasons`}>
        {findings.map((finding) => (
          <Reason
            key={`${keyOf(finding.span)} ${finding.reason}`}
            finding={finding}
            claim={claim}
            hasIcon={findings.length > 1}
          />
        ))}
      </ul>
      {claim.nearest === undefined ? null : <Nearest claim={claim} passage={claim.nearest} />}
    </li>
  );
}

/** The passage to compare a claim with that could not be checked. */
function Nearest({ claim, passage: { span } }: { readonly claim: Claim; readonly passage: NearestPassage }) {
  return (
    <dl className={classes.evidence}>
      <div className={classes.quote}>
        <dt title={`The sentence in the ${nameSource(span.source).toLowerCase()} that shares most words with this one`}>
          Nearest
        </dt>
        <dd dir="auto">
          <MarkedText text={span.text} from={span.start} marks={markDiffering(claim, span.source)} />
        </dd>
      </div>
    </dl>
  );
}

interface ReasonProps {
  readonly finding: Finding;
  readonly claim: Claim;
  /** Names its verdict: a claim may have reasons for other verdicts than its own. */
  readonly hasIcon: boolean;
}

function Reason({ finding, claim, hasIcon }: ReasonProps) {
  const evidence = quoteEvidence(finding, claim);
  return (
    <li className={classes.reason}>
      {hasIcon ? <VerdictBadge verdict={finding.verdict} size={14} isIcon /> : null}
      <div className={classes.reasonText}>
        {finding.reason}
        {evidence.length === 0 ? null : (
          <dl className={classes.evidence}>
            {evidence.slice(0, mostQuotes).map((one) => (
              <div key={keyOf(one)} className={classes.quote}>
                <dt>{nameSource(one.source)}</dt>
                <dd dir="auto">
                  <MarkedText
                    text={one.text}
                    from={one.start}
                    marks={markEvidence(finding, one.source).filter(({ tone }) => tone !== "context")}
                  />
                </dd>
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
