import { SegmentedControl } from "@mantine/core";
import { IconRulerMeasure } from "@tabler/icons-react";
import { HeadButton } from "../../../components/index.ts";
import { useSourceColumns } from "../../../queries/batch-queries.ts";
import { announceGrading } from "../grading/describe-grading.ts";
import { listActions, useResults } from "../results-context.tsx";
import { announceVerification } from "../verification/describe-verification.ts";
import classes from "./result-state.module.css";
import { RunStatus } from "./run-status.tsx";

/** The choice between this batch and merged results, and the progress of verification and grading. */
export function ResultState({ hasChoice }: { readonly hasChoice: boolean }) {
  const results = useResults();
  const { onSearch, merged, verification, grading } = results;
  return (
    <div className={classes.root}>
      {hasChoice ? (
        <SegmentedControl
          size="xs"
          classNames={{ root: classes.control, label: classes.label }}
          aria-label="Results shown"
          value={merged ? "merged" : "own"}
          onChange={(value) => onSearch({ merged: value === "merged" ? true : undefined })}
          data={[
            { value: "own", label: "This batch" },
            { value: "merged", label: "Merged results" },
          ]}
        />
      ) : null}
      {grading.run === null && listActions(results).canGrade ? <GradeOffer /> : null}
      <RunStatus
        commands={verification}
        doing="Verifying"
        name="verification"
        unit="answer"
        outcome={verification.run === null ? "" : announceVerification(verification.run)}
      />
      <RunStatus
        commands={grading}
        doing="Grading"
        name="grading"
        unit="line"
        outcome={grading.run === null ? "" : announceGrading(grading.run)}
      />
    </div>
  );
}

/** Leads to the grading of answers whose table has a column of expected ones, until they are graded. */
function GradeOffer() {
  const { batchId, onGrade } = useResults();
  const { expected } = useSourceColumns(batchId);
  if (expected === null) return null;
  return <HeadButton label="Grade answers" word="Grade" icon={<IconRulerMeasure size={15} />} onClick={onGrade} />;
}
