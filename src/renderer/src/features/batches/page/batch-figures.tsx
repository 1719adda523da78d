import { ActionIcon, Menu, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconGauge } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type AnswerEnd, describeEnds, type EndCounts } from "#contract";
import { formatKnownCost, formatPart } from "../../../components/index.ts";
import { useBatchQualities } from "../../../queries/batch-queries.ts";
import { describeCost, findShortAnswers } from "../describe-batch.ts";
import { describePassed, Verdicts } from "../list/quality.tsx";
import classes from "./batch-figures.module.css";
import { useBatchPage } from "./batch-page.tsx";

/** A tab in which the run over the answers is described. */
export type RunTab = "grades" | "verification";

export interface BatchFiguresProps {
  /** How its answers ended. */
  readonly ends: EndCounts;
  readonly onShowEnds: (ends: AnswerEnd[]) => void;
  readonly onShowRun: (tab: RunTab) => void;
}

interface Figure {
  readonly key: string;
  readonly name: string;
  /** Null while there is none: its place in the line is kept. */
  readonly value: ReactNode | null;
  readonly about: string;
  /** To the lines that it counts; null where there are none. */
  readonly onShow: (() => void) | null;
}

/** How the answers ended, how right they are, what speaks against them, and what they cost: in a line, or where it has no room in a menu. */
export function BatchFigures(props: BatchFiguresProps) {
  const figures = useFigures(props);
  if (figures.length === 0) return null;
  return (
    <>
      <div className={classes.line}>
        {figures.map(({ key, name, value, about, onShow }) => (
          <span key={key} className={classes.place} data-figure={key}>
            {value === null ? null : onShow === null ? (
              <span title={about}>{value}</span>
            ) : (
              <button type="button" className={classes.figure} title={about} onClick={onShow}>
                <VisuallyHidden>{name}: </VisuallyHidden>
                {value}
              </button>
            )}
          </span>
        ))}
      </div>
      <Menu position="bottom-end" width={260} returnFocus={false}>
        <Menu.Target>
          <Tooltip label={figures.map(({ name }) => name).join(", ")}>
            <ActionIcon variant="default" size={32} className={classes.menu} aria-label="Figures of the batch">
              <IconGauge size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {figures.map(({ key, name, value, about, onShow }) => (
            <Menu.Item
              key={key}
              disabled={onShow === null || value === null}
              onClick={() => onShow?.()}
              rightSection={<span className={classes.value}>{value ?? about}</span>}
            >
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** What there can be of the batch. */
function useFigures({ ends, onShowEnds, onShowRun }: BatchFiguresProps): Figure[] {
  const { batch } = useBatchPage();
  const quality = useBatchQualities().get(batch.id);
  if (batch.counts.total === 0) return [];
  const { accuracy = null, verdicts = null, rulesAlone = 0 } = quality ?? {};
  const cost = describeCost(batch);
  const short = findShortAnswers(ends);
  return [
    ...(short === null
      ? []
      : [
          {
            key: "ends",
            name: "Answers",
            value: <span className={classes.short}>{short.words}</span>,
            about: `${describeEnds(ends).join(", ")}. Show these lines.`,
            onShow: () => onShowEnds(short.ends),
          },
        ]),
    {
      key: "accuracy",
      name: "Accuracy",
      value: accuracy && (
        <>
          <b>{formatPart(accuracy.share)}</b> right
        </>
      ),
      about: accuracy === null ? "Not graded" : describePassed(accuracy),
      onShow: () => onShowRun("grades"),
    },
    {
      key: "verdicts",
      name: "Verdicts",
      value: verdicts && <Verdicts verdicts={verdicts} rulesAlone={rulesAlone} />,
      about: verdicts === null ? "Not verified" : "What was found in the answers",
      onShow: () => onShowRun("verification"),
    },
    ...(batch.connection === null
      ? []
      : [
          {
            key: "cost",
            name: "Cost",
            value: batch.cost && formatKnownCost(batch.cost),
            about: cost ?? "No price known",
            onShow: null,
          },
        ]),
  ];
}
