import { Button, Popover, Select } from "@mantine/core";
import { IconChevronDown, IconScale } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../bridge/index.ts";
import { JudgeFields, modKey, nameJudge } from "../../components/index.ts";
import classes from "./run-bar.module.css";
import { createVerifyQueries, type SingleVerification, useNotReady } from "./use-verification.ts";
import { useVerifyDraft } from "./verify-draft.ts";

/** Verifies what is in the fields, and explains why that can't be done yet. */
export function RunBar({ run, start, cancel }: SingleVerification) {
  const notReady = useNotReady();
  const isStored = useVerifyDraft((state) => state.isStored);
  const isRunning = run.status === "running";
  return (
    <div className={classes.root}>
      <div className={classes.bar}>
        <Button
          variant="filled"
          loading={isRunning}
          aria-disabled={notReady !== null}
          {...(notReady === null ? {} : { "data-disabled": true, "aria-describedby": "verify-not-ready" })}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={start}
        >
          Verify
        </Button>
        {isRunning ? <Button onClick={cancel}>Cancel</Button> : null}
        {isRunning ? (
          <span className={classes.note} role="status">
            Checking…
          </span>
        ) : notReady === null ? (
          <kbd className={classes.key}>{modKey} Enter</kbd>
        ) : (
          <span className={classes.note} id="verify-not-ready">
            {notReady}
          </span>
        )}
        {isStored ? null : <span className={classes.note}>Too long to store: a reload clears it.</span>}
        <span className={classes.spacer} />
        <JudgeMenu />
      </div>
    </div>
  );
}

/** The entry in a list of connections for asking none of them. */
const nobody = "nobody";

/** Who judges, how strictly, and with which model. */
function JudgeMenu() {
  const { choice, choose, strict, setStrict, form, setForm, alsoAsk, setAlsoAsk } = useVerifyDraft();
  const connections = useQuery(createVerifyQueries(useApi()).connections());
  const others = connections.data?.filter(({ hasMcp }) => hasMcp) ?? [];
  const other = others.find(({ id }) => id === alsoAsk);
  const judges = other === undefined ? nameJudge(choice) : `${nameJudge(choice)}, and ${other.name}`;
  const words = [judges, strict && "strict", !form && "form not checked"].filter(Boolean).join(", ");
  return (
    <Popover
      position="top-end"
      width={380}
      trapFocus
      returnFocus
      // It may cover its button: with a model there is room for it neither above nor below.
      middlewares={{ flip: true, shift: { crossAxis: true, padding: 8 } }}
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.judge}
          aria-label={`Judge: ${words}`}
          leftSection={<IconScale size={16} stroke={1.7} />}
          rightSection={<IconChevronDown size={14} stroke={1.8} />}
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Who judges" p="md" className={classes.judges}>
        <JudgeFields
          choice={choice}
          onChoice={choose}
          strict={strict}
          onStrict={setStrict}
          form={form}
          onForm={setForm}
          withinPortal={false}
        />
        {others.length === 0 ? null : (
          <Select
            mt="md"
            label="Also ask"
            description="By MCP: its verdict stands beside the one from here."
            inputWrapperOrder={["label", "input", "description"]}
            data={[
              { value: nobody, label: "Nobody else" },
              ...others.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={other?.id ?? nobody}
            onChange={(id) => setAlsoAsk(id === nobody ? null : id)}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false, transitionProps: { duration: 80 } }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
