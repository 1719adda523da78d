import { IconMasksTheater } from "@tabler/icons-react";
import type { BatchView } from "#contract";
import classes from "./answered-by.module.css";
import { CutName } from "./cut-name.tsx";

/** Where a batch is answered: its connection, this computer, or the mock that makes its answers up. */
export function AnsweredBy({
  batch: { connection, isMock },
}: {
  readonly batch: Pick<BatchView, "connection" | "isMock">;
}) {
  if (!isMock) return <CutName name={connection?.name ?? "This computer"} end={4} />;
  return (
    <span className={classes.mock} title="This computer: the mock server makes up the answers">
      <IconMasksTheater size={14} aria-hidden />
      Mock answers
    </span>
  );
}

/** Stands beside figures of answers that a mock made up. */
export function MockMark() {
  return (
    <span className={classes.mark} role="img" aria-label="Mock answers" title="Based on mock answers">
      <IconMasksTheater size={14} aria-hidden />
    </span>
  );
}
