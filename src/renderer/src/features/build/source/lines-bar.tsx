import { Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { RefObject } from "react";
import { useStore } from "zustand";
import type { CheckProgress, Source } from "#contract";
import { formatCount, formatNumber, IconAction } from "../../../components/index.ts";
import { useSession } from "../draft/draft-session.ts";
import { findFaultyLine } from "./edited-line.ts";
import classes from "./line-editor.module.css";
import { ReplaceValue } from "./replace-values.tsx";

interface LinesBarProps {
  readonly source: Source;
  readonly check: CheckProgress | null;
  readonly isEditing: boolean;
  /** Whether the way to the editor takes the focus when it is there again. */
  readonly takesFocus: RefObject<boolean>;
  readonly onEdit: () => void;
}

/** What is wrong with the lines of a file of requests, and the way to edit them: the faulty ones first. */
export function LinesBar({ source, check, isEditing, takesFocus, onEdit }: LinesBarProps) {
  const { view, showRow } = useSession();
  const line = useStore(view, (state) => Math.min(state.row, source.rowCount));
  const groups = check?.groups ?? [];
  const faulty = check?.faultyRows ?? 0;
  const before = findFaultyLine(groups, line, -1);
  const after = findFaultyLine(groups, line, 1);
  const first = findFaultyLine(groups, 0, 1);
  const isFaulty = first !== null && findFaultyLine(groups, line - 1, 1) === line;
  const edited = source.editedLines.length;
  return (
    <div className={classes.bar}>
      <p role="status">
        {[
          faulty > 0 ? `${formatCount(faulty, "line")} ${faulty === 1 ? "has" : "have"} errors` : null,
          edited > 0 ? `${formatNumber(edited)} edited` : null,
        ]
          .filter((part) => part !== null)
          .join(", ")}
      </p>
      {first === null ? null : (
        <>
          <IconAction
            label="Previous line with an error"
            icon={IconChevronLeft}
            isOff={before === null}
            onClick={() => before !== null && showRow(before)}
          />
          <IconAction
            label="Next line with an error"
            icon={IconChevronRight}
            isOff={after === null}
            onClick={() => after !== null && showRow(after)}
          />
        </>
      )}
      <ReplaceValue source={source} />
      {isEditing ? null : (
        <Button
          ref={(button) => {
            if (!takesFocus.current) return;
            takesFocus.current = false;
            button?.focus();
          }}
          size="compact-xs"
          onClick={() => {
            if (first !== null && !isFaulty) showRow(first);
            onEdit();
          }}
        >
          {first !== null && !isFaulty ? `Edit line ${formatNumber(first)}` : `Edit line ${formatNumber(line)}`}
        </Button>
      )}
    </div>
  );
}
