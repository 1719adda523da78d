import { Button, Popover, Radio, Select, Stack } from "@mantine/core";
import { IconChevronDown, IconScale } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { judgeNameSchema } from "#contract";
import { useApi } from "../../bridge/index.ts";
import { shortModelName } from "../../components/index.ts";
import { nameJudge } from "./describe-result.ts";
import classes from "./judge-menu.module.css";
import { createVerifyQueries } from "./queries.ts";
import { useVerifyDraft } from "./verify-draft.ts";

const judges = [
  { judge: "rules", label: "Rules", about: "At once, on this computer, the same every time." },
  { judge: "both", label: "Rules, then a model", about: "The model is asked only for what the rules can’t check." },
  { judge: "model", label: "A model", about: "Reads everything. It can be wrong, and takes its time." },
] as const;

/** Who judges, and with which model. */
export function JudgeMenu() {
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
          className={classes.target}
          aria-label={`Judge: ${nameJudge(choice)}`}
          leftSection={<IconScale size={16} stroke={1.7} />}
          rightSection={<IconChevronDown size={14} stroke={1.8} />}
        >
          {nameJudge(choice)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Who judges">
        <div className={classes.title} id={labelId}>
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
