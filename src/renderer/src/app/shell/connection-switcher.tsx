import { Menu, Tooltip, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../bridge/index.ts";
import { useDefaultConnection, useShownDraft } from "../../state/default-connection.ts";
import classes from "./top-bar.module.css";

/** How this computer is named in a list of connections. */
const here = "here";
const thisComputer = "This computer";

/** Where the draft in Build is answered; in all other places, where new batches are: here, or at one of the connections. */
export function ConnectionSwitcher() {
  const api = useApi();
  const navigate = useNavigate();
  const { data: info } = useQuery(api.app.info.queryOptions());
  const { data: known, isError } = useQuery(api.connections.list.queryOptions());
  const connections = known ?? [];
  const byDefault = useDefaultConnection();
  const draft = useShownDraft((state) => state.draft);
  const { connectionId, choose } = draft ?? byDefault;
  const chosen = connections.find(({ id }) => id === connectionId) ?? null;
  // A draft keeps a connection that is gone until its user chooses another. While the list is not loaded, it has no name.
  const isMissing = draft !== null && connectionId !== null && chosen === null && (known !== undefined || isError);
  const name = isMissing ? (isError ? "Chosen connection" : "Removed connection") : (chosen?.name ?? thisComputer);
  const asks = draft === null ? "New batches are answered by" : "This draft is answered by";
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <UnstyledButton
          className={classes.connection}
          aria-label={draft === null ? name : `${name}, answers this draft`}
        >
          <span className={classes.dot} data-status={isMissing ? "lost" : "open"} aria-hidden />
          <Tooltip
            label={draft === null ? "New batches are answered here" : "This draft is answered here"}
            openDelay={500}
          >
            <span className={classes.word} dir="auto">
              {name}
            </span>
          </Tooltip>
          <IconChevronDown size={14} className={classes.arrow} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{asks}</Menu.Label>
        <Menu.RadioGroup
          value={isMissing ? null : (chosen?.id ?? here)}
          onChange={(id) => choose(id === here ? null : id)}
        >
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
