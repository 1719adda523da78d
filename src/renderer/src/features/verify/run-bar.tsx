import { Button, Popover, Radio, Select, Stack } from "@mantine/core";
import { IconChevronDown, IconScale } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { judgeNameSchema } from "#contract";
import { useApi } from "../../bridge/index.ts";
import { modKey, shortModelName } from "../../components/index.ts";
import { nameJudge } from "./describe-result.ts";
import classes from "./run-bar.module.css";
import { createVerifyQueries, useNotReady, type VerificationRun } from "./use-verification.ts";
import { useVerifyDraft } from "./verify-draft.ts";

/** Verifies what is in the fields, and says why that can't be done yet. */
export function RunBar({ run, start, cancel }: VerificationRun) {
  const notReady = useNotReady();
  const isKept = useVerifyDraft((state) => state.isKept);
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
        {isKept ? null : <span className={classes.note}>Too long to be kept over a reload.</span>}
        <span className={classes.spacer} />
        <JudgeMenu />
      </div>
    </div>
  );
}

const judges = [
  { judge: "rules", label: "Rules", about: "At once, on this computer, the same every time." },
  {
    judge: "both",
    label: "Rules, then a model",
    about: "Rules judge sums, quotations and the form; a model the rest.",
  },
  { judge: "model", label: "A model", about: "Reads everything. It can be wrong, and takes its time." },
] as const;

/** Who judges, and with which model. */
function JudgeMenu() {
  const choice = useVerifyDraft((state) => state.choice);
  const choose = useVerifyDraft((state) => state.choose);
  const models = useQuery(createVerifyQueries(useApi()).models());
  const labelId = useId();
  return (
    <Popover position="top-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.judge}
          aria-label={`Judge: ${nameJudge(choice)}`}
          leftSection={<IconScale size={16} stroke={1.7} />}
          rightSection={<IconChevronDown size={14} stroke={1.8} />}
        >
          {nameJudge(choice)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Who judges">
        <div className={classes.judgeTitle} id={labelId}>
          Who judges
        </div>
        <Radio.Group
          aria-labelledby={labelId}
          value={choice.judge}
          onChange={(value) => choose({ ...choice, judge: judgeNameSchema.parse(value) })}
        >
          <Stack gap={10}>
            {judges.map(({ judge, label, about }) => (
              <Radio
                key={judge}
                size="xs"
                iconColor="var(--on-accent)"
                value={judge}
                label={label}
                description={about}
                classNames={{
                  radio: classes.radio ?? "",
                  label: classes.label ?? "",
                  description: classes.about ?? "",
                }}
              />
            ))}
          </Stack>
        </Radio.Group>
        {choice.judge === "rules" ? null : (
          <Select
            mt="md"
            label="Model"
            placeholder={models.isError ? "The models could not be read" : "Choose a model"}
            data={(models.data ?? []).map(({ id }) => ({ value: id, label: shortModelName(id) }))}
            value={choice.model}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false, transitionProps: { duration: 80 } }}
            onChange={(model) => choose({ ...choice, model })}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
