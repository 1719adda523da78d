import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { BatchStatus } from "#contract";
import { lookOf, statusOrder } from "../status.ts";
import classes from "./toolbar.module.css";

export interface StatusFilterProps {
  readonly chosen: readonly BatchStatus[];
  /** How many batches there are in each status. */
  readonly counts: ReadonlyMap<BatchStatus, number>;
  readonly onChoose: (statuses: readonly BatchStatus[]) => void;
}

/** Narrows the list to some statuses. */
export function StatusFilter({ chosen, counts, onChoose }: StatusFilterProps) {
  const said = chosen.length === 0 ? "any" : chosen.map((status) => lookOf(status).word).join(", ");
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <Button className={classes.filter} rightSection={<IconChevronDown size={14} />} data-set={chosen.length > 0}>
          Status: {said}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxGroup
          value={[...chosen]}
          onChange={(values) => onChoose(statusOrder.filter((status) => values.includes(status)))}
        >
          {statusOrder.map((status) => (
            <Menu.CheckboxItem
              key={status}
              value={status}
              rightSection={<span className={classes.count}>{counts.get(status) ?? 0}</span>}
            >
              {lookOf(status).word}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
        <Menu.Divider />
        <Menu.Item disabled={chosen.length === 0} onClick={() => onChoose([])}>
          Show all
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
