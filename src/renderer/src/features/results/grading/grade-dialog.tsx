import { Button, Modal, Select, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { BatchView, GradeOptions, GradeRun } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import classes from "../../../components/dialog-form.module.css";
import { ErrorCard, useJudgePlaces } from "../../../components/index.ts";
import { useStartGrading } from "../../../queries/run-queries.ts";
import { columnNeed, describeGradingPlan, describeReplaced, graders } from "./describe-grading.ts";
import { GradedBatches } from "./graded-batches.tsx";
import { type Fields, fieldsOf, GraderFields, noFields, toGrader } from "./grader-fields.tsx";

export interface GradeDialog {
  readonly open: () => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** The dialog that starts the grading of a batch. */
export function useGradeDialog(batch: BatchView, before: GradeRun | null): GradeDialog {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const dialog = (
    <Modal opened={opened} onClose={close} title={`Grade the answers of “${batch.name}”`} size={520}>
      <GradeForm batch={batch} before={before} onClose={close} />
    </Modal>
  );
  return { open: () => setOpened(true), dialog };
}

interface GradeFormProps {
  readonly batch: BatchView;
  /** The run before this one, whose choices are offered again. */
  readonly before: GradeRun | null;
  readonly onClose: () => void;
}

/** By what the answers of a batch are graded; describes what will be done before it starts. */
function GradeForm({ batch, before, onClose }: GradeFormProps) {
  const api = useApi();
  const options = useQuery(api.grades.options.queryOptions({ input: { batchId: batch.id }, staleTime: 0 }));
  const [chosen, setChosen] = useState<Partial<Fields>>(before === null ? {} : fieldsOf(before));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { mutate, isPending, error } = useStartGrading(onClose);
  const { isMock } = useJudgePlaces();
  const change = (changed: Partial<Fields>) => setChosen((now) => ({ ...now, ...changed }));

  const found = options.data;
  const fields: Fields = { ...noFields, ...suggestFields(found), ...chosen };
  const need = columnNeed(fields.name);
  const column = need === "none" ? null : chooseColumn(fields.column, found, need);
  const grader = toGrader(fields, isMock);
  const batches = (found?.batches ?? []).filter(({ batchId, problem }) => problem === null && !left.has(batchId));
  const isReady = batches.length > 0 && grader !== null && (need !== "needed" || column !== null);
  const replaced = describeReplaced(batches, batch.id);

  const start = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isPending) mutate({ batchIds: batches.map(({ batchId }) => batchId), grader, column });
  };

  if (options.isPending) {
    return (
      <div className={classes.form} role="status" aria-label="The batch is being read">
        <Skeleton height={12} width={70} />
        <Skeleton height={32} mt={6} />
        <Skeleton height={12} mt={20} width={220} />
        <Skeleton height={32} mt={6} />
        <Skeleton height={12} mt={20} mb={72} width="80%" />
      </div>
    );
  }
  return (
    <form className={classes.form} onSubmit={start}>
      <Select
        autoFocus
        openOnFocus={false}
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
          // Another column is compared with another field.
          onChange={(value) => change({ column: value, path: found?.columnPaths[value ?? ""] ?? fields.path })}
          clearable={need === "optional"}
          allowDeselect={need === "optional"}
          searchable={(found?.columns.length ?? 0) > 8}
          disabled={options.isPending || found?.columns.length === 0}
        />
      )}
      <GraderFields fields={fields} paths={found?.paths ?? []} onChange={change} />
      {found === undefined || found.batches.length < 2 ? null : (
        <GradedBatches batches={found.batches} left={left} onLeave={setLeft} />
      )}
      <p className={classes.plan} role="status">
        {describeGradingPlan(batches, fields.name, column)}
        {replaced === null ? null : <strong> {replaced}</strong>}
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

/** What is chosen before the user has: the column with the expected answers, how they are compared, and the field of JSON. */
function suggestFields(options: GradeOptions | undefined): Partial<Fields> {
  if (options === undefined) return {};
  const { grader: name, expectedColumn: column, answerPath } = options;
  return { name, column, path: answerPath ?? "" };
}

/** The chosen column as far as it is there, else the one that has the expected answers. */
function chooseColumn(chosen: string | null, options: GradeOptions | undefined, need: "needed" | "optional") {
  if (chosen !== null && options?.columns.includes(chosen)) return chosen;
  return need === "needed" ? (options?.expectedColumn ?? null) : null;
}
