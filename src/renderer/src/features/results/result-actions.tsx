import { IconDownload, IconRulerMeasure, IconShieldCheck } from "@tabler/icons-react";
import { HeadButton } from "../../components/index.ts";
import { listActions, useResults } from "./results-context.tsx";

/** What is done with the results as a whole, for the head of the page. */
export function ResultActions() {
  const results = useResults();
  const { hasAnswers, canVerify, canGrade, canExport } = listActions(results);
  return (
    <>
      {hasAnswers ? (
        <>
          <HeadButton
            label="Verify answers"
            word="Verify"
            icon={<IconShieldCheck size={15} />}
            onClick={results.onVerify}
            disabled={!canVerify}
          />
          <HeadButton
            label="Grade answers"
            word="Grade"
            icon={<IconRulerMeasure size={15} />}
            onClick={results.onGrade}
            disabled={!canGrade}
          />
        </>
      ) : null}
      {results.batch.status === "failed" ? null : (
        <HeadButton label="Export" icon={<IconDownload size={15} />} onClick={results.onExport} disabled={!canExport} />
      )}
    </>
  );
}
