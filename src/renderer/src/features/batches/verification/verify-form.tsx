import { Button, Radio, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { BatchView, DocumentChoice, JudgeChoice, VerificationRun } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ErrorCard, shortModelName } from "../../../components/index.ts";
import { describePlan, judges } from "./describe-verification.ts";
import { fromValue, listDocuments, toValue } from "./document-options.ts";
import { useStartVerification } from "./use-verification.ts";
import classes from "./verify-form.module.css";

export interface VerifyFormProps {
  readonly batch: BatchView;
  /** The run before this one, whose choices are offered again. */
  readonly before: VerificationRun | null;
  readonly onClose: () => void;
}

/** Who judges the answers of a batch, and against what; says what will be done before it is. */
export function VerifyForm({ batch, before, onClose }: VerifyFormProps) {
  const api = useApi();
  const options = useQuery(api.verifications.options.queryOptions({ input: { batchId: batch.id }, staleTime: 0 }));
  const { data: models = [] } = useQuery(api.app.models.queryOptions({ staleTime: 60_000 }));
  const [judge, setJudge] = useState<JudgeChoice["judge"]>(before?.choice.judge ?? "rules");
  const [model, setModel] = useState(before?.choice.model ?? null);
  const [wanted, setWanted] = useState<DocumentChoice>(before?.document ?? { from: "none" });
  const { mutate, isPending, error } = useStartVerification(onClose);

  const offered = listDocuments(options.data ?? { columns: [], hasSystemMessages: false });
  const values = offered.flatMap((option) => ("items" in option ? option.items : [option]).map(({ value }) => value));
  const document: DocumentChoice = values.includes(toValue(wanted)) ? wanted : { from: "none" };
  const choice: JudgeChoice = { judge, model: judge === "rules" ? null : model };
  const isReady = options.isSuccess && (judge === "rules" || choice.model !== null);

  const start = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !isPending) mutate({ batchId: batch.id, choice, document });
  };

  return (
    <form className={classes.form} onSubmit={start}>
      <Radio.Group
        label="Judge"
        value={judge}
        onChange={(value) => setJudge(judges.find((one) => one.value === value)?.value ?? "rules")}
      >
        <div className={classes.judges}>
          {judges.map(({ value, label, description }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              classNames={{ description: classes.description, radio: classes.radio }}
              {...(value === judge && { "data-autofocus": true })}
            />
          ))}
        </div>
      </Radio.Group>
      {judge === "rules" ? null : (
        <Select
          label="Model"
          placeholder="Choose a model"
          data={models.map(({ id }) => ({ value: id, label: shortModelName(id) }))}
          value={model}
          onChange={setModel}
          allowDeselect={false}
          searchable={models.length > 8}
        />
      )}
      <Select
        classNames={{ description: classes.description }}
        label="Document of each answer"
        description="With one, what an answer says must have its support there."
        data={offered}
        value={toValue(document)}
        onChange={(value) => value !== null && setWanted(fromValue(value))}
        allowDeselect={false}
        disabled={options.isPending}
      />
      <p className={classes.plan} role="status">
        {describePlan(batch.counts.completed, choice, document)}
        {before === null ? null : <strong> The verdicts of the last run are replaced.</strong>}
      </p>
      {options.error ? (
        <ErrorCard
          title="The batch could not be read"
          {...describeError(options.error)}
          onRetry={() => void options.refetch()}
        />
      ) : null}
      {error ? <ErrorCard title="The verification was not started" {...describeError(error)} /> : null}
      <div className={classes.actions}>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" variant="filled" loading={isPending} disabled={!isReady}>
          Verify answers
        </Button>
      </div>
    </form>
  );
}
