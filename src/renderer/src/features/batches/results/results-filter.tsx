import { Button, CloseButton, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type GradeRun, gradeSchema, type VerificationRun, verdictSchema } from "#contract";
import { formatCount, formatNumber, lookOfVerdict, VerdictBadge } from "../../../components/index.ts";
import { GradeBadge, lookOfGrade } from "../grading/grade-badge.tsx";
import type { ResultsFilter as Filter } from "../search-params.ts";
import classes from "./results-filter.module.css";

export interface ResultsFilterProps {
  /** Null where there are no verdicts, or no grades, to filter by. */
  readonly verification: VerificationRun | null;
  readonly grading: GradeRun | null;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** All lines of the batch, and how many of them the filter leaves; null while that is not known. */
  readonly total: number;
  readonly shown: number | null;
}

/** Narrows the lines to those with a verdict or a grade. Its row is there from the start, so that none pushes the table. */
export function ResultsFilter({ verification, grading, filter, onFilter, total, shown }: ResultsFilterProps) {
  const { verdict, grade } = filter;
  const grades = grading && {
    pass: grading.summary.passed,
    fail: grading.summary.failed,
    no_answer: grading.summary.noAnswer,
  };
  return (
    <div className={classes.root}>
      {verification === null ? null : (
        <FilterMenu
          name="Verdict"
          value={verdict === undefined ? null : lookOfVerdict(verdict).word}
          onClear={() => onFilter({ ...filter, verdict: undefined })}
          options={verdictSchema.options.map((one) => ({
            key: one,
            label: <VerdictBadge verdict={one} />,
            count: verification.counts[one],
            onChoose: () => onFilter({ ...filter, verdict: one }),
          }))}
        />
      )}
      {grades === null ? null : (
        <FilterMenu
          name="Grade"
          value={grade === undefined ? null : lookOfGrade(grade).word}
          onClear={() => onFilter({ ...filter, grade: undefined })}
          options={gradeSchema.options.map((one) => ({
            key: one,
            label: <GradeBadge grade={one} />,
            count: grades[one],
            onChoose: () => onFilter({ ...filter, grade: one }),
          }))}
        />
      )}
      <output className={classes.shown}>
        {shown === null
          ? ""
          : shown === total
            ? formatCount(total, "line")
            : `${formatNumber(shown)} of ${formatCount(total, "line")}`}
      </output>
    </div>
  );
}

interface FilterMenuProps {
  readonly name: string;
  /** What is chosen; null for any. */
  readonly value: string | null;
  readonly onClear: () => void;
  readonly options: readonly {
    readonly key: string;
    readonly label: ReactNode;
    readonly count: number;
    readonly onChoose: () => void;
  }[];
}

/** A chip that opens its choices, and has a cross once one is made. */
function FilterMenu({ name, value, onClear, options }: FilterMenuProps) {
  return (
    <div className={classes.chip} data-set={value !== null || undefined}>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            className={classes.target}
            rightSection={value === null ? <IconChevronDown size={14} /> : null}
          >
            {name}: {value ?? "any"}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {options.map(({ key, label, count, onChoose }) => (
            <Menu.Item
              key={key}
              onClick={onChoose}
              rightSection={<span className={classes.count}>{formatNumber(count)}</span>}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {value === null ? null : (
        <CloseButton
          size="sm"
          className={classes.clear}
          aria-label={`Show any ${name.toLowerCase()}`}
          onClick={onClear}
        />
      )}
    </div>
  );
}
