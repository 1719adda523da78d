import { Radio, Select, Switch } from "@mantine/core";
import { type JudgeChoice, type JudgePreset, judgeNameSchema, judgePresetSchema } from "#contract";
import classes from "./judge-fields.module.css";
import { JudgeModelFields, mockProblem, useJudgePlaces } from "./judge-model.tsx";

const judges = [
  {
    judge: "rules",
    label: "Rules",
    about: "Numbers, dates and quotations are looked up, sums computed. On this computer, the same every time.",
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
  "granite-guardian-4": "Granite Guardian 4",
  "granite-guardian": "Granite Guardian 3",
};

export interface JudgeFieldsProps {
  readonly choice: JudgeChoice;
  readonly onChoice: (choice: JudgeChoice) => void;
  readonly strict: boolean;
  readonly onStrict: (strict: boolean) => void;
  /** Whether the form of responses is checked. */
  readonly form: boolean;
  readonly onForm: (form: boolean) => void;
  /** False where the fields are in a popover, which a list outside of it would close. */
  readonly withinPortal?: boolean;
}

/** Who judges, how strictly, and with which model. */
export function JudgeFields(props: JudgeFieldsProps) {
  const { choice, onChoice, strict, onStrict, form, onForm, withinPortal = true } = props;
  const { isMock, connections, canAsk } = useJudgePlaces();
  const choose = (judge: JudgeChoice["judge"]) => {
    const first = isMock && judge !== "rules" ? connections[0] : undefined;
    const place =
      first === undefined || choice.connectionId !== undefined ? {} : { connectionId: first.id, model: null };
    onChoice({ ...choice, judge, ...place });
  };
  const comboboxProps = { withinPortal, transitionProps: { duration: 80 } };
  return (
    <div className={classes.root}>
      <Radio.Group label="Judge" value={choice.judge} onChange={(value) => choose(judgeNameSchema.parse(value))}>
        <div className={classes.judges}>
          {judges.map(({ judge, label, about }) => (
            <Radio
              key={judge}
              value={judge}
              label={label}
              description={about}
              disabled={judge !== "rules" && !canAsk}
              classNames={{ description: classes.about ?? "", radio: classes.radio ?? "" }}
              {...(judge === choice.judge && { "data-autofocus": true })}
            />
          ))}
        </div>
        {!canAsk ? <p className={classes.problem}>{mockProblem}</p> : null}
      </Radio.Group>
      {choice.judge === "rules" ? null : (
        <div className={classes.model}>
          <JudgeModelFields
            model={choice.model}
            connectionId={choice.connectionId}
            onChange={(chosen) => onChoice({ ...choice, ...chosen })}
            withinPortal={withinPortal}
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
      {choice.judge === "model" ? null : (
        <Switch
          label="Check the form"
          description="Checks the sentences, words and format that the prompt asks for. A broken form counts as wrong."
          classNames={{ description: classes.about ?? "" }}
          checked={form}
          onChange={(event) => onForm(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}

/** Who judges, for people: `Rules`, `gpt-4o`, `Rules and gpt-4o`. */
export function nameJudge({ judge, model }: JudgeChoice): string {
  if (judge === "rules") return "Rules";
  return judge === "model" ? (model ?? "A model") : `Rules and ${model ?? "a model"}`;
}
