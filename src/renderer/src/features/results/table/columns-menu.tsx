import { ActionIcon, Button, Checkbox, Popover, TextInput, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconColumns3, IconPin, IconPinFilled, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { findColumn, foldText, isInAnswer, sourcePrefix } from "#contract";
import { scrollable } from "../../../components/index.ts";
import classes from "./columns-menu.module.css";
import type { ResultColumn } from "./result-columns.tsx";
import { moveColumn, type ResultLayout, toggleColumns, usualLayout } from "./result-layout.ts";
import filterClasses from "./results-filter.module.css";

export interface ColumnsMenuProps {
  /** All that there are, and those that are shown, in their order. */
  readonly all: readonly ResultColumn[];
  readonly chosen: readonly ResultColumn[];
  readonly layout: ResultLayout;
  readonly onChange: (change: Partial<ResultLayout>) => void;
}

/** Which columns the table shows, in which order, and which stay in view. */
export function ColumnsMenu({ all, chosen, layout, onChange }: ColumnsMenuProps) {
  const [search, setSearch] = useState("");
  const shown = chosen.map(({ id }) => id);
  const wanted = foldText(search.trim());
  // Those that are shown come first, in the order of the table.
  const listed = [...chosen, ...all.filter(({ id }) => !shown.includes(id))].filter(({ header }) =>
    foldText(header).includes(wanted),
  );
  const groups = groupTitles.flatMap((title) => {
    const columns = listed.filter(({ id }) => groupOf(id) === title);
    return columns.length === 0 ? [] : [{ title, columns }];
  });
  return (
    <Popover position="bottom-end" width={340} trapFocus returnFocus onClose={() => setSearch("")}>
      <Popover.Target>
        <Button size="xs" variant="subtle" color="gray" title="Columns" leftSection={<IconColumns3 size={15} />}>
          <span className={filterClasses.word}>
            Columns{" "}
            <span className={filterClasses.count}>
              {chosen.length} of {all.length}
            </span>
          </span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Columns of the table">
        <TextInput
          size="xs"
          aria-label="Search the columns"
          placeholder="Search"
          leftSection={<IconSearch size={14} />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <div className={classes.list} {...scrollable}>
          {groups.map(({ title, columns }) => {
            const ids = columns.map(({ id }) => id);
            const isAll = ids.every((id) => shown.includes(id));
            const next = toggleColumns(shown, ids, !isAll);
            return (
              <section key={title} aria-label={title}>
                <Checkbox
                  size="xs"
                  className={classes.group}
                  label={title}
                  checked={isAll}
                  indeterminate={!isAll && ids.some((id) => shown.includes(id))}
                  disabled={next.length === 0}
                  onChange={() => onChange({ shown: next })}
                />
                <ul className={classes.columns} aria-label={`Columns: ${title}`}>
                  {columns.map((column) => (
                    <ColumnItem key={column.id} column={column} shown={shown} layout={layout} onChange={onChange} />
                  ))}
                </ul>
              </section>
            );
          })}
          {groups.length === 0 ? <p className={classes.none}>No column has this name.</p> : null}
        </div>
        <Button size="xs" variant="subtle" color="gray" className={classes.reset} onClick={() => onChange(usualLayout)}>
          Default columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

const groupTitles = ["Table", "Answer", "Run", "Verdicts and grades"] as const;

function groupOf(id: string) {
  if (id.startsWith(sourcePrefix)) return "Table";
  return isInAnswer(id) ? "Answer" : findColumn(id)?.page?.group;
}

interface ColumnItemProps extends Pick<ColumnsMenuProps, "layout" | "onChange"> {
  readonly column: ResultColumn;
  /** The columns that are shown, in their order. */
  readonly shown: readonly string[];
}

/** One column: whether it is shown, where, and whether it stays in view. */
function ColumnItem({ column: { id, header }, shown, layout: { pinned }, onChange }: ColumnItemProps) {
  const isShown = shown.includes(id);
  const isPinned = pinned.includes(id);
  const place = shown.indexOf(id);
  return (
    <li className={classes.item}>
      <Checkbox
        size="xs"
        label={header}
        checked={isShown}
        disabled={isShown && shown.length === 1}
        onChange={() => onChange({ shown: toggleColumns(shown, [id], !isShown) })}
        className={classes.check}
      />
      {isShown ? (
        <>
          <Act
            label={isPinned ? `Unpin ${header}` : `Pin ${header}`}
            icon={isPinned ? <IconPinFilled size={14} /> : <IconPin size={14} />}
            onClick={() =>
              onChange({
                shown,
                pinned: isPinned ? pinned.filter((one) => one !== id) : [...pinned, id],
              })
            }
          />
          <Act
            label={`Move ${header} to the left`}
            icon={<IconChevronUp size={14} />}
            isDisabled={place === 0}
            onClick={() => onChange({ shown: moveColumn(shown, id, -1) })}
          />
          <Act
            label={`Move ${header} to the right`}
            icon={<IconChevronDown size={14} />}
            isDisabled={place === shown.length - 1}
            onClick={() => onChange({ shown: moveColumn(shown, id, 1) })}
          />
        </>
      ) : null}
    </li>
  );
}

interface ActProps {
  readonly label: string;
  readonly icon: React.ReactNode;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

function Act({ label, icon, isDisabled = false, onClick }: ActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} variant="subtle" color="gray" aria-label={label} disabled={isDisabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
