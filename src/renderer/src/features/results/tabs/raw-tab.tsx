import type { BatchDetail } from "#contract";
import { CopyButton, JsonView, scrollable } from "../../../components/index.ts";
import classes from "./result-tabs.module.css";

/** The batch as a client of the API gets it. */
export function RawTab({ batch }: { readonly batch: BatchDetail }) {
  const text = JSON.stringify(batch.wire, null, 2);
  return (
    <div className={classes.raw}>
      <div className={classes.rawHead}>
        <code className={classes.call}>GET /v1/batches/{batch.id}</code>
        <CopyButton value={text} label="Copy JSON" />
      </div>
      <div className={classes.rawCard} {...scrollable}>
        <JsonView text={text} label="Batch as JSON" />
      </div>
    </div>
  );
}
