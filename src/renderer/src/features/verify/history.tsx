import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Verdict, VerificationSummary } from "#contract";
import { useApi } from "../../bridge/index.ts";
import { formatNumber, RelativeTime, VerdictBadge } from "../../components/index.ts";
import { nothingChecked } from "./describe-result.ts";
import classes from "./history.module.css";
import { useOpenVerification } from "./open-verification.tsx";
import { createVerifyQueries } from "./queries.ts";
import { useClearHistory } from "./use-clear-history.tsx";
import { useVerifyDraft } from "./verify-draft.ts";

/** Verifications that are listed until all are asked for. */
const fewest = 6;

/** The last verifications, newest first; a click brings one back. Nothing where there is none. */
export function History() {
  const { data } = useQuery(createVerifyQueries(useApi()).history());
  const [showsAll, setShowsAll] = useState(false);
  const clearing = useClearHistory();
  if (data === undefined || data.length === 0) return clearing.dialog;
  const listed = showsAll ? data : data.slice(0, fewest);
  return (
    <section className={classes.root} aria-labelledby="verify-history">
      <div className={classes.head}>
        <h2 className={classes.title} id="verify-history">
          History
        </h2>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          className={classes.clear}
          onClick={() => clearing.ask(data.length)}
        >
          Clear history
        </Button>
      </div>
      <ul className={classes.list}>
        {listed.map((one) => (
          <HistoryRow key={one.id} verification={one} />
        ))}
      </ul>
      {listed.length < data.length ? (
        <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
          Show all {formatNumber(data.length)}
        </Button>
      ) : null}
      {clearing.dialog}
    </section>
  );
}

function HistoryRow({ verification }: { readonly verification: VerificationSummary }) {
  const { id, at, prompt, response } = verification;
  const open = useOpenVerification();
  const isOpen = useVerifyDraft((state) => state.shownId === id);
  return (
    <li>
      <button type="button" className={classes.row} aria-current={isOpen || undefined} onClick={() => open(id)}>
        <span className={classes.verdict}>
          <VerdictBadge verdict={verdictOf(verification)} />
          <span className={classes.time}>
            <RelativeTime time={at} />
          </span>
        </span>
        <span className={classes.texts}>
          <span className={classes.response}>{response.trim() === "" ? "Empty response" : response}</span>
          {prompt.trim() === "" ? null : <span className={classes.prompt}>{prompt}</span>}
        </span>
      </button>
    </li>
  );
}

/** The first words of an explanation say so when nothing could be checked. */
function verdictOf({ isHallucination, explanation }: VerificationSummary): Verdict {
  if (isHallucination) return "contradicted";
  return explanation.startsWith(nothingChecked) ? "not_checkable" : "supported";
}
