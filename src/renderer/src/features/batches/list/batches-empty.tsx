import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { EmptyState } from "../../../components/index.ts";

export interface BatchesEmptyProps {
  readonly onBuild: () => void;
  readonly isBuilding: boolean;
  readonly onTryExample: () => void;
  readonly exampleIsOpening: boolean;
}

/** Before the first batch: what a batch is, and the first step. */
export function BatchesEmpty({ onBuild, isBuilding, onTryExample, exampleIsOpening }: BatchesEmptyProps) {
  return (
    <EmptyState
      icon={<IconStack2 size={26} stroke={1.5} />}
      title="No batches yet"
      actions={
        <>
          <Button variant="filled" loading={exampleIsOpening} onClick={onTryExample}>
            Try the 200-question example
          </Button>
          <Button loading={isBuilding} onClick={onBuild}>
            Build a batch
          </Button>
        </>
      }
    >
      A batch asks a model the same thing about every row of a table and keeps each answer beside its row. It runs on
      its own, and what has been answered can be read and exported at any time.
    </EmptyState>
  );
}
