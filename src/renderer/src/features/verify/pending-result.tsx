import { Skeleton } from "@mantine/core";
import { formatTimeLeft, useNow } from "../../components/index.ts";
import { nameJudge } from "./describe-result.ts";
import classes from "./pending-result.module.css";
import { useVerifyDraft } from "./verify-draft.ts";

/** Before the first claim is there: who is judging, and for how long already. */
export function PendingResult({ since }: { readonly since: number }) {
  const choice = useVerifyDraft((state) => state.choice);
  const now = useNow(1_000);
  const waited = now - since;
  return (
    <div className={classes.root}>
      <p className={classes.text}>
        Checking the response. Judge: {nameJudge(choice)}
        {waited < 1_000 ? null : <span aria-hidden>, {formatTimeLeft(waited)}</span>}
      </p>
      <div className={classes.rows}>
        {["first", "second", "third"].map((row) => (
          <div key={row} className={classes.row}>
            <Skeleton height={12} width={96} animate={false} />
            <Skeleton height={12} animate={false} />
          </div>
        ))}
      </div>
    </div>
  );
}
