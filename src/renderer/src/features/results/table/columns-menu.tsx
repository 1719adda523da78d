import { ActionIcon, Button, Checkbox, Popover, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconColumns3, IconPin, IconPinFilled } from "@tabler/icons-react";
import { scrollable } from "../../../components/index.ts";
import classes from "./columns-menu.module.css";
import type { ResultColumn } from "./result-columns.tsx";
import { moveColumn, type ResultLayout, toggleColumn, usualLayout } from "./result-layout.ts";

export interface ColumnsMenuProps {
  /** All that there are, and those that are shown, in their order. */
  readonly all: readonly ResultColumn[];
  readonly chosen: readonly ResultColumn[];
  readonly layout: ResultLayout;
  readonly onChange: (change: Partial<ResultLayout>) => void;
}

/** Which columns the table shows, in which order, and which stay in view. */
export function ColumnsMenu({ all, chosen, layout, onChange }: ColumnsMenuProps) {
  const shown = chosen.map(({ id }) => id);
  const others = all.filter(({ id }) => !shown.includes(id));
  const { pinned } = layout;
  return (
    <Popover position="bottom-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="subtle" color="gray" leftSection={<IconColumns3 size={15} />}>
          <span className={classes.word}>Columns</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Columns of the table">
        <ul className={classes.list} {...scrollable} aria-label="Columns">
          {[...chosen, ...others].map(({ id, header }) => {
            const isShown = shown.includes(id);
            const isPinned = pinned.includes(id);
            const place = shown.indexOf(id);
            return (
              <li key={id} className={classes.item}>
                <Checkbox
                  size="xs"
                  label={header}
                  checked={isShown}
                  disabled={isShown && shown.length === 1}
                  onChange={() => onChange({ shown: toggleColumn(shown, id) })}
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
          })}
        </ul>
        <Button size="xs" variant="subtle" color="gray" className={classes.reset} onClick={() => onChange(usualLayout)}>
          Usual columns
        </Button>
      </Popover.Dropdown>
    </Popover>
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
