import { Menu, Tooltip, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconMasksTheater, IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../../bridge/index.ts";
import { useChooseConnection } from "../prompt/model-choice.tsx";
import classes from "./connection-switcher.module.css";
import { useContent } from "./draft-session.ts";

/** How this computer is named in a list of connections. */
const here = "here";
const thisComputer = "This computer";
const mockAnswers = "Mock answers";

/** Where the draft is answered: here, or at one of the connections. The next new one begins with the same. */
export function ConnectionSwitcher() {
  const api = useApi();
  const navigate = useNavigate();
  const { data: info } = useQuery(api.app.info.queryOptions());
  const { data: known, isError } = useQuery(api.connections.list.queryOptions());
  const connections = known ?? [];
  const connectionId = useContent((content) => content.connectionId);
  const choose = useChooseConnection();
  const chosen = connections.find(({ id }) => id === connectionId) ?? null;
  // A draft keeps a connection that is gone until its user chooses another. While the list is not loaded, it has no name.
  const isMissing = connectionId !== null && chosen === null && (known !== undefined || isError);
  const name = isMissing ? (isError ? "Chosen connection" : "Removed connection") : (chosen?.name ?? thisComputer);
  const isMock = connectionId === null && info?.isMock === true;
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <UnstyledButton className={classes.root} aria-label={`${isMock ? mockAnswers : name}, answers this draft`}>
          {isMock ? (
            <IconMasksTheater size={15} className={classes.mock} aria-hidden />
          ) : (
            <span className={classes.dot} data-lost={isMissing || undefined} aria-hidden />
          )}
          <Tooltip
            label={isMock ? "No model chosen: answers are mock data" : `${name} answers this draft`}
            openDelay={500}
          >
            <span className={classes.name} dir="auto">
              {isMock ? mockAnswers : name}
            </span>
          </Tooltip>
          <IconChevronDown size={14} className={classes.arrow} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>This draft is answered by</Menu.Label>
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
