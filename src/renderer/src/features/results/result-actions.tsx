import { Menu } from "@mantine/core";
import { IconDownload, IconRulerMeasure, IconShieldCheck } from "@tabler/icons-react";
import { HeadButton } from "../../components/index.ts";
import { listActions, useResults } from "./results-context.tsx";

/** Exports the results; nothing for a batch that ran nothing. */
export function ExportButton() {
  const results = useResults();
  if (results.batch.status === "failed") return null;
  return (
    <HeadButton
      label="Export"
      icon={<IconDownload size={15} />}
      onClick={results.onExport}
      disabled={!listActions(results).canExport}
    />
  );
}

/** What else is done with the results as a whole, as items of a menu. */
export function ResultItems() {
  const results = useResults();
  const { hasAnswers, canVerify, canGrade } = listActions(results);
  if (!hasAnswers) return null;
  return (
    <>
      <Menu.Item leftSection={<IconShieldCheck size={16} />} onClick={results.onVerify} disabled={!canVerify}>
        Verify answers
      </Menu.Item>
      <Menu.Item leftSection={<IconRulerMeasure size={16} />} onClick={results.onGrade} disabled={!canGrade}>
        Grade answers
      </Menu.Item>
    </>
  );
}
