import { ActionIcon, Menu, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconGauge } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formatKnownCost, formatPart } from "../../../components/index.ts";
import { useBatchQualities } from "../../../queries/batch-queries.ts";
import { describeCost } from "../describe-batch.ts";
import { describePassed, Verdicts } from "../list/quality.tsx";
import classes from "./batch-figures.module.css";
import { useBatchPage } from "./batch-page.tsx";

/** A tab in which the run over the answers is described. */
export type RunTab = "grades" | "verification";

export interface BatchFiguresProps {
  readonly onShowRun: (tab: RunTab) => void;
}

interface Figure {
  readonly key: string;
  readonly name: string;
  /** Null while there is none: its place in the line is kept. */
  readonly value: ReactNode | null;
  readonly about: string;
  readonly tab: RunTab | null;
}

/** How right the answers are, what speaks against them, and what they cost: in a line, or where it has no room in a menu. */
export function BatchFigures({ onShowRun }: BatchFiguresProps) {
  const figures = useFigures();
  if (figures.length === 0) return null;
  return (
    <>
      <div className={classes.line}>
        {figures.map(({ key, name, value, about, tab }) => (
          <span key={key} className={classes.place} data-figure={key}>
            {value === null ? null : tab === null ? (
              <span title={about}>{value}</span>
            ) : (
              <button type="button" className={classes.figure} title={about} onClick={() => onShowRun(tab)}>
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
          {figures.map(({ key, name, value, about, tab }) => (
            <Menu.Item
              key={key}
              disabled={tab === null || value === null}
              onClick={() => tab !== null && onShowRun(tab)}
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
function useFigures(): Figure[] {
  const { batch } = useBatchPage();
  const quality = useBatchQualities().get(batch.id);
  if (batch.counts.total === 0) return [];
  const { accuracy = null, verdicts = null, rulesAlone = 0 } = quality ?? {};
  const cost = describeCost(batch);
  return [
    {
      key: "accuracy",
      name: "Accuracy",
      value: accuracy && (
        <>
          <b>{formatPart(accuracy.share)}</b> right
        </>
      ),
      about: accuracy === null ? "Not graded" : describePassed(accuracy),
      tab: "grades",
    },
    {
      key: "verdicts",
      name: "Verdicts",
      value: verdicts && <Verdicts verdicts={verdicts} rulesAlone={rulesAlone} />,
      about: verdicts === null ? "Not verified" : "What was found in the answers",
      tab: "verification",
    },
    ...(batch.connection === null
      ? []
      : [
          {
            key: "cost",
            name: "Cost",
            value: batch.cost && formatKnownCost(batch.cost),
            about: cost ?? "No price known",
            tab: null,
          },
        ]),
  ];
}
