import { Button } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { EmptyState } from "../../../components/index.ts";
import classes from "./empty-source.module.css";
import { useExample } from "./use-example.ts";

interface EmptySourceProps {
  readonly onChooseFile: () => void;
}

/** The source pane before there is a source: what goes here, and three ways to bring it. */
export function EmptySource({ onChooseFile }: EmptySourceProps) {
  const example = useExample();
  return (
    <div className={classes.zone}>
      <EmptyState
        icon={<IconTable size={26} stroke={1.5} />}
        title="Drop a table here"
        actions={
          <>
            <Button onClick={onChooseFile}>Choose file</Button>
            <Button variant="subtle" loading={example.isPending} onClick={() => example.mutate()}>
              Try the 200-question example
            </Button>
          </>
        }
      >
        CSV or JSONL: each row becomes one request. A file of ready requests works, too, and so do rows that you paste.
      </EmptyState>
    </div>
  );
}
