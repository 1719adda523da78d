import { Button, Collapse, Loader } from "@mantine/core";
import { useId, useState } from "react";
import { useStore } from "zustand";
import { type ConnectionVerification, countClaims, type Verification } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { ClaimList, ErrorCard, ResponseCounts } from "../../components/index.ts";
import classes from "./connection-card.module.css";
import { connectionVerification } from "./connection-verification.ts";
import { areSame, toTexts } from "./texts.ts";

/** The verdict of another service on the response that is shown; nothing where none was asked. */
export function ConnectionCard({ verification }: { readonly verification: Verification }) {
  const run = useStore(connectionVerification);
  if (run === null || !areSame(run.texts, toTexts(verification))) return null;
  const { name, outcome } = run;
  switch (outcome.status) {
    case "running":
      return (
        <p className={classes.root} role="status">
          <Loader size={14} aria-hidden /> Asking {name}…
        </p>
      );
    case "failed":
      return <ErrorCard title={`${name} has not verified it`} {...describeError(outcome.error)} />;
    case "answered":
      return <Answer name={name} answer={outcome.answer} ours={verification} />;
  }
}

interface AnswerProps {
  readonly name: string;
  readonly answer: ConnectionVerification;
  readonly ours: Verification;
}

function Answer({ name, answer, ours }: AnswerProps) {
  const { claims, explanation, isHallucination, milliseconds } = answer;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const agrees = isHallucination === ours.result.is_hallucination;
  return (
    <section className={classes.root} aria-labelledby={id}>
      <header className={classes.head}>
        <h3 id={id} dir="auto">
          {name}
        </h3>
        {claims === null ? (
          <span>{isHallucination ? "Holds it for made up" : "Finds nothing made up"}</span>
        ) : (
          <ResponseCounts counts={countClaims(claims)} />
        )}
        <span className={classes.agreement} data-differs={!agrees || undefined}>
          {agrees ? "Agrees with the result here" : "Differs from the result here"}
        </span>
      </header>
      <p className={classes.explanation} dir="auto">
        {explanation}
      </p>
      <footer className={classes.foot}>
        <span>{(milliseconds / 1_000).toLocaleString("en", { maximumFractionDigits: 1 })} s</span>
        {claims === null || claims.length === 0 ? null : (
          <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide its claims" : "Show its claims"}
          </Button>
        )}
      </footer>
      <Collapse expanded={isOpen}>
        {isOpen && claims !== null ? (
          <ClaimList claims={claims} showsJudge={false} active={null} keepsInView={false} onActive={() => {}} />
        ) : null}
      </Collapse>
    </section>
  );
}
