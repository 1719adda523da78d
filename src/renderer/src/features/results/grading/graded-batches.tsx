import { Checkbox } from "@mantine/core";
import type { Gradable } from "#contract";
import { formatCount, scrollable } from "../../../components/index.ts";
import classes from "./graded-batches.module.css";

export interface GradedBatchesProps {
  readonly batches: readonly Gradable[];
  /** The ones that are left out. */
  readonly left: ReadonlySet<string>;
  readonly onLeave: (left: ReadonlySet<string>) => void;
}

/** Which batches are graded: all that can be, as long as none is unticked. */
export function GradedBatches({ batches, left, onLeave }: GradedBatchesProps) {
  const toggle = (batchId: string) => onLeave(left.symmetricDifference(new Set([batchId])));
  return (
    <fieldset className={classes.root}>
      <legend className={classes.legend}>Batches</legend>
      <div className={classes.list} {...scrollable}>
        {batches.map(({ batchId, name, answers, problem }) => (
          <Checkbox
            key={batchId}
            classNames={{ body: classes.batch, labelWrapper: classes.words, label: classes.label }}
            label={
              <>
                <span className={classes.name} dir="auto">
                  {name}
                </span>
                <span className={classes.about}>{problem ?? formatCount(answers, "answer")}</span>
              </>
            }
            checked={problem === null && !left.has(batchId)}
            disabled={problem !== null}
            onChange={() => toggle(batchId)}
          />
        ))}
      </div>
    </fieldset>
  );
}
