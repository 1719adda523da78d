import { Button, Modal, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { BatchView, GradeOptions, GradeRun, Grader } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import classes from "../../../components/dialog-form.module.css";
import { canBeAsked, ErrorCard, JudgeModelFields, mockProblem, useJudgePlaces } from "../../../components/index.ts";
import { useStartGrading } from "../../../queries/run-queries.ts";
import { columnNeed, describeGradingPlan, type GraderName, graders, readTolerance } from "./describe-grading.ts";

export interface GradeDialog {
  readonly open: () => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** The dialog that starts the grading of a batch. */
export function useGradeDialog(batch: BatchView, before: GradeRun | null, hasRetries: boolean): GradeDialog {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const dialog = (
    <Modal opened={opened} onClose={close} title={`Grade the answers of “${batch.name}”`} size={520}>
      <GradeForm batch={batch} before={before} hasRetries={hasRetries} onClose={close} />
    </Modal>
  );
  return { open: () => setOpened(true), dialog };
}

/** What is typed and chosen, for all graders alike: changing the grader loses nothing. */
interface Fields {
  readonly name: GraderName;
  readonly column: string | null;
  readonly tolerance: string;
  readonly path: string;
  readonly model: string | null;
  readonly connectionId: string | undefined;
  readonly rubric: string;
}

const noFields: Fields = {
  name: "text",
  column: null,
  tolerance: "0",
  path: "",
  model: null,
  connectionId: undefined,
  rubric: "",
};

function fieldsOf({ grader, column }: GradeRun): Fields {
  const fields = { ...noFields, name: grader.name, column };
  if (grader.name === "number") return { ...fields, tolerance: String(grader.tolerance) };
  if (grader.name === "json") return { ...fields, path: grader.path };
  if (grader.name !== "model") return fields;
  const { model, connectionId, rubric } = grader;
  return { ...fields, model, connectionId, rubric };
}

/** The grader that the fields make; null while something is missing. */
function toGrader({ name, tolerance, path, model, connectionId, rubric }: Fields, isMock: boolean): Grader | null {
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

interface GradeFormProps {
  readonly batch: BatchView;
  /** The run before this one, whose choices are offered again. */
  readonly before: GradeRun | null;
  /** Their answers are not those of the batch. */
  readonly hasRetries: boolean;
  readonly onClose: () => void;
}

/** By what the answers of a batch are graded; describes what will be done before it starts. */
function GradeForm({ batch, before, hasRetries, onClose }: GradeFormProps) {
  const api = useApi();
  const options = useQuery(api.grades.options.queryOptions({ input: { batchId: batch.id }, staleTime: 0 }));
  const [fields, setFields] = useState<Fields>(before === null ? noFields : fieldsOf(before));
  const { mutate, isPending, error } = useStartGrading(onClose);
  const { isMock } = useJudgePlaces();
  const change = (changed: Partial<Fields>) => setFields((now) => ({ ...now, ...changed }));

  const found = options.data;
  const need = columnNeed(fields.name);
  const column = need === "none" ? null : chooseColumn(fields.column, found, need);
  const grader = toGrader(fields, isMock);
  const isReady = options.isSuccess && grader !== null && (need !== "needed" || column !== null);

  const start = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isPending) mutate({ batchId: batch.id, grader, column });
  };

  return (
    <form className={classes.form} onSubmit={start}>
      <Select
        label="Grader"
        description={graders.find(({ name }) => name === fields.name)?.about}
        inputWrapperOrder={["label", "input", "description"]}
        classNames={{ description: classes.description }}
        data={graders.map(({ name, label }) => ({ value: name, label }))}
        renderOption={({ option }) => (
          <span className={classes.option}>
            {option.label}
            <span className={classes.about}>{graders.find(({ name }) => name === option.value)?.about}</span>
          </span>
        )}
        maxDropdownHeight={460}
        value={fields.name}
        onChange={(value) => change({ name: graders.find(({ name }) => name === value)?.name ?? "text" })}
        allowDeselect={false}
        data-autofocus
      />
      {need === "none" ? null : (
        <Select
          label={`Column with the expected answers${need === "optional" ? " (optional)" : ""}`}
          placeholder={
            found?.columns.length === 0 ? "The table that the batch was built from is gone" : "Choose a column"
          }
          data={[...new Set(found?.columns)]}
          value={column}
          onChange={(value) => change({ column: value })}
          clearable={need === "optional"}
          allowDeselect={need === "optional"}
          searchable={(found?.columns.length ?? 0) > 8}
          disabled={options.isPending || found?.columns.length === 0}
        />
      )}
      <GraderFields fields={fields} onChange={change} />
      <p className={classes.plan} role="status">
        {describeGradingPlan(batch.counts.completed, fields.name, column)}
        {hasRetries ? " The answers of its retries are left out: grade those from the retries’ own pages." : null}
        {before === null ? null : <strong> The grades of the last run are replaced.</strong>}
      </p>
      {options.error ? (
        <ErrorCard
          title="The batch could not be read"
          {...describeError(options.error)}
          onRetry={() => void options.refetch()}
        />
      ) : null}
      {error ? <ErrorCard title="The grading was not started" {...describeError(error)} /> : null}
      <div className={classes.actions}>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" variant="filled" loading={isPending} disabled={!isReady}>
          Grade answers
        </Button>
      </div>
    </form>
  );
}

/** The chosen column as far as it is there, else the one that by its name has the expected answers. */
function chooseColumn(chosen: string | null, options: GradeOptions | undefined, need: "needed" | "optional") {
  if (chosen !== null && options?.columns.includes(chosen)) return chosen;
  return need === "needed" ? (options?.expectedColumn ?? null) : null;
}

interface GraderFieldsProps {
  readonly fields: Fields;
  readonly onChange: (changed: Partial<Fields>) => void;
}

/** What only some graders ask for. */
function GraderFields({ fields, onChange }: GraderFieldsProps) {
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
        <TextInput
          label="Path"
          classNames={{ description: classes.description }}
          description="Where the value stands in the answer: $.label, $.items[0].name"
          placeholder="$.label"
          value={fields.path}
          onChange={(event) => onChange({ path: event.currentTarget.value })}
        />
      );
    case "model":
      return <ModelFields fields={fields} onChange={onChange} />;
    default:
      return null;
  }
}

function ModelFields({ fields, onChange }: GraderFieldsProps) {
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
