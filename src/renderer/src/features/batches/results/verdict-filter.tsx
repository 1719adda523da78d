import { SegmentedControl } from "@mantine/core";
import { type LineVerdict, lineVerdictSchema, type VerificationRun } from "#contract";
import { formatNumber, VerdictBadge } from "../../../components/index.ts";
import classes from "./verdict-filter.module.css";

export interface VerdictFilterProps {
  readonly run: VerificationRun;
  /** All lines of the batch. */
  readonly total: number;
  readonly verdict: LineVerdict | null;
  readonly onVerdict: (verdict: LineVerdict | null) => void;
}

const all = "all";

/** Narrows the lines to those with a verdict. */
export function VerdictFilter({ run, total, verdict, onVerdict }: VerdictFilterProps) {
  return (
    <div className={classes.root}>
      <SegmentedControl
        size="xs"
        aria-label="Lines to show"
        value={verdict ?? all}
        onChange={(value) => onVerdict(lineVerdictSchema.safeParse(value).data ?? null)}
        data={[
          { value: all, label: <Label name="All lines" count={total} /> },
          ...lineVerdictSchema.options.map((value) => ({
            value,
            label: <Label name={<VerdictBadge verdict={value} size={14} />} count={run.counts[value]} />,
          })),
        ]}
      />
    </div>
  );
}

function Label({ name, count }: { readonly name: React.ReactNode; readonly count: number }) {
  return (
    <span className={classes.label}>
      <span className={classes.name}>{name}</span> <span className={classes.count}>{formatNumber(count)}</span>
    </span>
  );
}
