import { Radio, Select, Switch } from "@mantine/core";
import { type JudgeChoice, type JudgePreset, judgeNameSchema, judgePresetSchema } from "#contract";
import { shortModelName } from "../format.ts";
import classes from "./judge-fields.module.css";

const judges = [
  {
    judge: "rules",
    label: "Rules",
    about: "Numbers, dates, names and quotations are looked up, sums computed. On this computer, the same every time.",
  },
  {
    judge: "both",
    label: "Rules and a model",
    about: "Rules judge sums, units, quotations and the form; a model judges everything else.",
  },
  { judge: "model", label: "A model", about: "Reads every claim. It can be wrong, and takes its time." },
] as const;

const presetNames: Record<JudgePreset, string> = {
  general: "Any chat model",
  minicheck: "MiniCheck",
  "granite-guardian": "Granite Guardian",
};

/** Why a model can't judge, or grade, where the mock answers. */
export const mockProblem =
  "A model can’t judge here: the mock engine would answer for it, and it makes its answers up, so they would mean nothing.";

export interface JudgeFieldsProps {
  readonly choice: JudgeChoice;
  readonly onChoice: (choice: JudgeChoice) => void;
  readonly strict: boolean;
  readonly onStrict: (strict: boolean) => void;
  readonly models: readonly string[];
  /** Whether a mock would answer for the model: its verdicts would mean nothing. */
  readonly isMock: boolean;
  /** False where the fields stand in a popover, which a list outside of it would close. */
  readonly withinPortal?: boolean;
}

/** Who judges, how strictly, and with which model. */
export function JudgeFields(props: JudgeFieldsProps) {
  const { choice, onChoice, strict, onStrict, models, isMock, withinPortal = true } = props;
  const comboboxProps = { withinPortal, transitionProps: { duration: 80 } };
  return (
    <div className={classes.root}>
      <Radio.Group
        label="Judge"
        value={choice.judge}
        onChange={(value) => onChoice({ ...choice, judge: judgeNameSchema.parse(value) })}
      >
        <div className={classes.judges}>
          {judges.map(({ judge, label, about }) => (
            <Radio
              key={judge}
              value={judge}
              label={label}
              description={about}
              disabled={judge !== "rules" && isMock}
              classNames={{ description: classes.about ?? "", radio: classes.radio ?? "" }}
              {...(judge === choice.judge && { "data-autofocus": true })}
            />
          ))}
        </div>
        {isMock ? <p className={classes.problem}>{mockProblem}</p> : null}
      </Radio.Group>
      {choice.judge === "rules" ? null : (
        <div className={classes.model}>
          <Select
            label="Model"
            placeholder="Choose a model"
            data={models.map((id) => ({ value: id, label: shortModelName(id) }))}
            value={choice.model}
            onChange={(model) => onChoice({ ...choice, model })}
            allowDeselect={false}
            searchable={models.length > 8}
            comboboxProps={comboboxProps}
          />
          <Select
            label="Asked as"
            data={judgePresetSchema.options.map((preset) => ({ value: preset, label: presetNames[preset] }))}
            value={choice.preset}
            onChange={(preset) => onChoice({ ...choice, preset: judgePresetSchema.parse(preset) })}
            allowDeselect={false}
            comboboxProps={comboboxProps}
          />
        </div>
      )}
      <Switch
        label="Strict"
        description="What is not in the document counts as wrong, too, not only what is contradicted."
        classNames={{ description: classes.about ?? "" }}
        checked={strict}
        onChange={(event) => onStrict(event.currentTarget.checked)}
      />
    </div>
  );
}

/** Who judges, for people: `Rules`, `Llama 3.3 70B`, `Rules and Llama 3.3 70B`. */
export function nameJudge({ judge, model }: JudgeChoice): string {
  if (judge === "rules") return "Rules";
  const name = model === null ? null : shortModelName(model);
  return judge === "model" ? (name ?? "A model") : `Rules and ${name ?? "a model"}`;
}
