import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import type { CellReading, GradeRun, Grader } from "#contract";
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
  /** How a cell is read: as one value, as several accepted ones, or as a set. */
  readonly cell: "one" | "any" | "set";
  /** Empty where cells show it themselves. */
  readonly separator: string;
  readonly wholeWords: boolean;
  readonly ordered: boolean;
  readonly model: string | null;
  readonly connectionId: string | undefined;
  readonly rubric: string;
}

export const noFields: Fields = {
  name: "text",
  column: null,
  tolerance: "0",
  path: "",
  cell: "one",
  separator: "",
  wholeWords: false,
  ordered: false,
  model: null,
  connectionId: undefined,
  rubric: "",
};

/** The choices of a run. */
export function fieldsOf({ grader, column }: GradeRun): Partial<Fields> {
  const reading = "cell" in grader ? grader.cell : undefined;
  const cell: Partial<Fields> = { cell: reading?.as ?? "one", separator: reading?.separator ?? "" };
  const fields: Partial<Fields> = { name: grader.name, column, ...cell };
  if (grader.name === "contains") return { ...fields, wholeWords: grader.wholeWords ?? false };
  if (grader.name === "number") return { ...fields, tolerance: String(grader.tolerance) };
  if (grader.name === "json") return { ...fields, path: grader.path, ordered: grader.ordered ?? false };
  if (grader.name !== "model") return fields;
  const { model, connectionId, rubric } = grader;
  return { ...fields, model, connectionId, rubric };
}

/** Graders that compare sets; all but `schema` and `model` take one of several answers. */
const withSets: readonly GraderName[] = ["contains", "json", "label", "text"];

/** The grader that the fields make; null while something is missing. */
export function toGrader(fields: Fields, isMock: boolean): Grader | null {
  const { name, tolerance, path, model, connectionId, rubric, wholeWords, ordered } = fields;
  const cell = toCellReading(fields);
  switch (name) {
    case "number": {
      const read = readTolerance(tolerance);
      return read === null ? null : { name, tolerance: read, ...cell };
    }
    case "contains":
      return { name, ...(wholeWords && { wholeWords }), ...cell };
    case "json":
      return path.trim() === "" ? null : { name, path: path.trim(), ...(ordered && { ordered }), ...cell };
    case "model":
      if (model === null || rubric.trim() === "" || !canBeAsked({ model, connectionId }, isMock)) return null;
      return { name, model, connectionId, rubric };
    case "schema":
      return { name };
    default:
      return { name, ...cell };
  }
}

function toCellReading({ name, cell, separator }: Fields): { readonly cell?: CellReading } {
  if (cell === "one" || (cell === "set" && !withSets.includes(name))) return {};
  return { cell: { as: cell, ...(separator !== "" && { separator }) } };
}

export interface GraderFieldsProps {
  readonly fields: Fields;
  /** Paths of the answers, to choose from. */
  readonly paths: readonly string[];
  readonly onChange: (changed: Partial<Fields>) => void;
}

/** What only some graders ask for, and how cells with several values are read. */
export function GraderFields(props: GraderFieldsProps) {
  const { name } = props.fields;
  return (
    <>
      <OwnFields {...props} />
      {name === "schema" || name === "model" ? null : <CellFields {...props} />}
    </>
  );
}

function CellFields({ fields: { name, cell, separator }, onChange }: GraderFieldsProps) {
  const hasSets = withSets.includes(name);
  const shown = cell === "set" && !hasSets ? "one" : cell;
  return (
    <>
      <Select
        label="Answers per cell"
        data={[
          { value: "one", label: "One expected answer" },
          { value: "any", label: "Several accepted answers" },
          ...(hasSets ? [{ value: "set", label: "Several values, all expected" }] : []),
        ]}
        value={shown}
        onChange={(value) => onChange({ cell: value === "any" || value === "set" ? value : "one" })}
        allowDeselect={false}
      />
      {shown === "one" ? null : (
        <TextInput
          label="Separator"
          classNames={{ description: classes.description }}
          description="If empty, a cell is a JSON list, or is split at | or ; or a comma."
          maxLength={20}
          value={separator}
          onChange={(event) => onChange({ separator: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function OwnFields({ fields, paths, onChange }: GraderFieldsProps) {
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
    case "contains":
      return (
        <Checkbox
          label="Whole words only"
          checked={fields.wholeWords}
          onChange={(event) => onChange({ wholeWords: event.currentTarget.checked })}
        />
      );
    case "json":
      return (
        <>
          <SuggestionField
            label="Path"
            classNames={{ description: classes.description }}
            description={
              paths.length === 0
                ? "Path to the value in the answer, such as $.label or $.items[0].name"
                : "Path to the value in the answer. The list shows the paths in these answers."
            }
            placeholder="$.label"
            suggestions={paths}
            maxDropdownHeight={260}
            value={fields.path}
            onChange={(path) => onChange({ path })}
          />
          <Checkbox
            label="Compare list order"
            checked={fields.ordered}
            onChange={(event) => onChange({ ordered: event.currentTarget.checked })}
          />
        </>
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
