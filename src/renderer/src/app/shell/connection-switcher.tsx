import { Menu, Tooltip, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../bridge/index.ts";
import { useDefaultConnection } from "../../state/default-connection.ts";
import classes from "./top-bar.module.css";

/** How this computer is named in a list of connections. */
const here = "here";
const thisComputer = "This computer";

/** Where new batches are answered: here, or at one of the connections. */
export function ConnectionSwitcher() {
  const api = useApi();
  const navigate = useNavigate();
  const { data: info } = useQuery(api.app.info.queryOptions());
  const { data: connections = [] } = useQuery(api.connections.list.queryOptions());
  const { connectionId, choose } = useDefaultConnection();
  const chosen = connections.find(({ id }) => id === connectionId) ?? null;
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <UnstyledButton className={classes.connection}>
          <span className={classes.dot} data-status="open" aria-hidden />
          <Tooltip label="New batches are answered here" openDelay={500}>
            <span className={classes.word} dir="auto">
              {chosen?.name ?? thisComputer}
            </span>
          </Tooltip>
          <IconChevronDown size={14} className={classes.arrow} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>New batches are answered by</Menu.Label>
        <Menu.RadioGroup value={chosen?.id ?? here} onChange={(id) => choose(id === here ? null : id)}>
          <Menu.RadioItem value={here} closeMenuOnClick>
            {thisComputer}
            {info?.isMock ? <span className={classes.aside}>Answers are made up</span> : null}
          </Menu.RadioItem>
          {connections.map(({ id, name, url }) => (
            <Menu.RadioItem key={id} value={id} closeMenuOnClick>
              <span dir="auto">{name}</span>
              <span className={classes.aside}>{new URL(url).host}</span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPlugConnected size={16} stroke={1.6} />}
          onClick={() => void navigate({ to: "/settings" })}
        >
          {connections.length === 0 ? "Connect a model…" : "Manage connections…"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
