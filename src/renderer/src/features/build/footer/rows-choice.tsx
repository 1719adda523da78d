import { Button, Checkbox, NumberInput, Popover, Radio } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import type { Rows, Source } from "#contract";
import { formatCount, formatNumber } from "../../../components/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { RowFilter } from "./row-filter.tsx";
import classes from "./rows-choice.module.css";

const choices: readonly { readonly take: Rows["take"]; readonly label: string }[] = [
  { take: "all", label: "All" },
  { take: "first", label: "The first" },
  { take: "last", label: "The last" },
  { take: "random", label: "Random" },
];

interface RowsChoiceProps {
  readonly source: Source;
  /** Requests that are the same as one before them. */
  readonly identical: number;
  /** Rows that fit the filter; null while that is not known, and without one. */
  readonly fitting: number | null;
}

/** Which rows are asked: all or some of those that fit, with or without those that have errors. */
export function RowsChoice({ source: { rowCount, holds, columns }, identical, fitting }: RowsChoiceProps) {
  const { store } = useSession();
  const rows = useContent((content) => content.rows);
  const isForConnection = useContent((content) => content.connectionId !== null);
  const unit = holds === "rows" ? "rows" : "lines";
  const isFiltered = holds === "rows" && rows.filter !== undefined;
  const change = (changed: Partial<Rows>) => store.edit({ rows: { ...rows, ...changed } });
  return (
    <Popover position="top-start" width={320} withinPortal shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {describeRows(rows, unit, isFiltered ? fitting : rowCount, isFiltered)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className={classes.root}>
          <legend className={classes.legend}>Ask which {unit}</legend>
          {holds === "rows" ? <RowFilter columns={columns} rowCount={rowCount} fitting={fitting} /> : null}
          <Radio.Group value={rows.take} onChange={(value) => change({ take: readTake(value) })} aria-label="Take">
            {choices.map(({ take, label }) => (
              <div key={take} className={classes.choice}>
                <Radio
                  value={take}
                  label={
                    take === "all"
                      ? describeRows({ ...rows, take }, unit, isFiltered ? fitting : rowCount, isFiltered)
                      : label
                  }
                />
                {take !== "all" && rows.take === take ? (
                  <CountField rows={rows} unit={unit} onChange={(count) => change({ count })} />
                ) : null}
              </div>
            ))}
          </Radio.Group>
          {rows.take === "random" ? (
            <p className={classes.hint}>The same ones each time, as long as the file is.</p>
          ) : null}
          <Checkbox
            label={`Skip ${unit} with errors`}
            checked={rows.skipFaulty}
            onChange={({ currentTarget }) => change({ skipFaulty: currentTarget.checked })}
          />
          {isForConnection ? (
            <Checkbox
              label="Ask identical requests once"
              description={identical === 0 ? null : `${formatCount(identical, "request")} can be left out.`}
              checked={rows.onceIdentical}
              onChange={({ currentTarget }) => change({ onceIdentical: currentTarget.checked })}
            />
          ) : null}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}

interface CountFieldProps {
  readonly rows: Rows;
  readonly unit: string;
  readonly onChange: (count: number) => void;
}

/** How many rows. What is no number stays as it was typed, and the last one holds. */
function CountField({ rows, unit, onChange }: CountFieldProps) {
  const [typed, setTyped] = useState<string | number>(rows.count);
  const isWrong = !Number.isInteger(Number(typed)) || Number(typed) < 1;
  return (
    <NumberInput
      size="xs"
      className={classes.count}
      aria-label={`How many ${unit}`}
      value={typed}
      allowNegative
      clampBehavior="none"
      thousandSeparator=","
      hideControls
      error={isWrong ? "A whole number from 1" : null}
      onChange={(value) => {
        setTyped(value);
        const count = Number(value);
        if (Number.isInteger(count) && count >= 1) onChange(count);
      }}
    />
  );
}

function readTake(value: string): Rows["take"] {
  return choices.find(({ take }) => take === value)?.take ?? "all";
}

const takeWords = { first: "First", last: "Last", random: "Random" } as const;

/** `All 1,319 rows`, `First 100 rows`, `All 12 rows that fit`. `most` is null where it is not known how many there are. */
function describeRows({ take, count }: Rows, unit: string, most: number | null, isFiltered: boolean): string {
  const which = isFiltered ? `${unit} that fit` : unit;
  if (take !== "all" && (most === null || count < most)) return `${takeWords[take]} ${formatNumber(count)} ${which}`;
  return most === null ? `All ${which}` : `All ${formatNumber(most)} ${which}`;
}
