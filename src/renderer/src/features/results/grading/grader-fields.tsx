import { Textarea, TextInput } from "@mantine/core";
import type { GradeRun, Grader } from "#contract";
import classes from "../../../components/dialog-form.module.css";
import {
  canBeAsked,
  JudgeModelFields,
  mockProblem,
  SuggestionField,
  useJudgePlaces,
} from "../../../components/index.ts";
import { type GraderName, readTolerance } from "./describe-grading.ts";

/** What is typed and chosen, for all graders alike: changing the grader loses nothing. */
export interface Fields {
  readonly name: GraderName;
  readonly column: string | null;
  readonly tolerance: string;
  readonly path: string;
  readonly model: string | null;
  readonly connectionId: string | undefined;
  readonly rubric: string;
}

export const noFields: Fields = {
  name: "text",
  column: null,
  tolerance: "0",
  path: "",
  model: null,
  connectionId: undefined,
  rubric: "",
};

/** The choices of a run. */
export function fieldsOf({ grader, column }: GradeRun): Partial<Fields> {
  const fields = { name: grader.name, column };
  if (grader.name === "number") return { ...fields, tolerance: String(grader.tolerance) };
  if (grader.name === "json") return { ...fields, path: grader.path };
  if (grader.name !== "model") return fields;
  const { model, connectionId, rubric } = grader;
  return { ...fields, model, connectionId, rubric };
}

/** The grader that the fields make; null while something is missing. */
export function toGrader(
  { name, tolerance, path, model, connectionId, rubric }: Fields,
  isMock: boolean,
): Grader | null {
  switch (name) {
    case "number": {
      const read = readTolerance(tolerance);
      return read === null ? null : { name, tolerance: read };
    }
    case "json":
      return path.trim() === "" ? null : { name, path: path.trim() };
    case "model":
      if (model === null || rubric.trim() === "" || !canBeAsked({ model, connectionId }, isMock)) return null;
      return { name, model, connectionId, rubric };
    default:
      return { name };
  }
}

export interface GraderFieldsProps {
  readonly fields: Fields;
  /** Paths of the answers, to choose from. */
  readonly paths: readonly string[];
  readonly onChange: (changed: Partial<Fields>) => void;
}

/** What only some graders ask for. */
export function GraderFields({ fields, paths, onChange }: GraderFieldsProps) {
  switch (fields.name) {
    case "number":
      return (
        <TextInput
          label="Tolerance"
          classNames={{ description: classes.description }}
          description="How far the number may be from the expected one."
          inputMode="decimal"
          value={fields.tolerance}
          onChange={(event) => onChange({ tolerance: event.currentTarget.value })}
          error={readTolerance(fields.tolerance) === null ? "A number from 0 on, like 0.01." : null}
        />
      );
    case "json":
      return (
        <SuggestionField
          label="Path"
          classNames={{ description: classes.description }}
          description={
            paths.length === 0
              ? "Where the value is in the answer: $.label, $.items[0].name"
              : "Where the value is in the answer. The list has what the answers have."
          }
          placeholder="$.label"
          suggestions={paths}
          maxDropdownHeight={260}
          value={fields.path}
          onChange={(path) => onChange({ path })}
        />
      );
    case "model":
      return <ModelFields fields={fields} onChange={onChange} />;
    default:
      return null;
  }
}

function ModelFields({ fields, onChange }: Omit<GraderFieldsProps, "paths">) {
  const { canAsk } = useJudgePlaces();
  if (!canAsk) return <p className={classes.plan}>{mockProblem}</p>;
  return (
    <>
      <JudgeModelFields model={fields.model} connectionId={fields.connectionId} onChange={onChange} />
      <Textarea
        label="Rubric"
        classNames={{ description: classes.description }}
        description="When an answer passes, in your own words."
        placeholder="Passes when the reply answers the question, and promises nothing that the policy does not."
        autosize
        minRows={3}
        maxRows={10}
        maxLength={20_000}
        value={fields.rubric}
        onChange={(event) => onChange({ rubric: event.currentTarget.value })}
      />
    </>
  );
}
