import { Button, Modal, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { type BatchView, type DocumentChoice, guessDocument, type JudgeChoice, type VerificationRun } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import classes from "../../../components/dialog-form.module.css";
import { canBeAsked, ErrorCard, JudgeFields, useJudgePlaces } from "../../../components/index.ts";
import { useStartVerification } from "../../../queries/run-queries.ts";
import { describePlan } from "./describe-verification.ts";

export interface VerifyDialog {
  readonly open: () => void;
  /** To be rendered by the page. */
  readonly dialog: ReactNode;
}

/** The dialog that starts the verification of a batch. */
export function useVerifyDialog(batch: BatchView, before: VerificationRun | null, hasRetries: boolean): VerifyDialog {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const dialog = (
    <Modal opened={opened} onClose={close} title={`Verify the answers of “${batch.name}”`} size={520}>
      <VerifyForm batch={batch} before={before} hasRetries={hasRetries} onClose={close} />
    </Modal>
  );
  return { open: () => setOpened(true), dialog };
}

interface VerifyFormProps {
  readonly batch: BatchView;
  /** The run before this one, whose choices are offered again. */
  readonly before: VerificationRun | null;
  /** Their answers are not those of the batch. */
  readonly hasRetries: boolean;
  readonly onClose: () => void;
}

const byRules: JudgeChoice = { judge: "rules", model: null, preset: "general" };

/** Who judges the answers of a batch, and against what; describes what will be done before it starts. */
function VerifyForm({ batch, before, hasRetries, onClose }: VerifyFormProps) {
  const api = useApi();
  const options = useQuery(api.verifications.options.queryOptions({ input: { batchId: batch.id }, staleTime: 0 }));
  const { isMock, canAsk } = useJudgePlaces();
  const [wanted, setWanted] = useState(before?.choice ?? byRules);
  const [strict, setStrict] = useState(before?.strict ?? false);
  const [form, setForm] = useState(before?.checksForm ?? true);
  const [chosenDocument, setDocument] = useState<DocumentChoice | null>(before?.document ?? null);
  const { mutate, isPending, error } = useStartVerification(onClose);

  const wantedDocument = chosenDocument ?? suggestDocument(options.data?.columns ?? []);
  const offered = listDocuments(options.data ?? { columns: [], hasSystemMessages: false });
  const values = offered.flatMap((option) => ("items" in option ? option.items : [option]).map(({ value }) => value));
  const document: DocumentChoice = values.includes(toValue(wantedDocument)) ? wantedDocument : { from: "none" };
  const choice: JudgeChoice = canAsk ? wanted : { ...wanted, judge: "rules" };
  const { judge, model, connectionId } = choice;
  const isReady = options.isSuccess && (judge === "rules" || canBeAsked({ model, connectionId }, isMock));

  const start = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isPending) return;
    const asked = judge === "rules" ? { ...choice, model: null, connectionId: undefined } : choice;
    mutate({ batchId: batch.id, choice: asked, document, strict, form });
  };

  return (
    <form className={classes.form} onSubmit={start}>
      <JudgeFields
        choice={choice}
        onChoice={setWanted}
        strict={strict}
        onStrict={setStrict}
        form={form}
        onForm={setForm}
      />
      <Select
        classNames={{ description: classes.description }}
        label="Document of each answer"
        description="What an answer says is looked up in it."
        data={offered}
        value={toValue(document)}
        onChange={(value) => value !== null && setDocument(fromValue(value))}
        allowDeselect={false}
        disabled={options.isPending}
      />
      <p className={classes.plan} role="status">
        {describePlan(batch.counts.completed, choice, document)}
        {hasRetries ? " The answers of its retries are left out: verify those from the retries’ own pages." : null}
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

/** The document as long as none is chosen: the column that is named as one. */
export function suggestDocument(columns: readonly string[]): DocumentChoice {
  const guess = guessDocument(columns);
  return guess === null ? { from: "none" } : { from: "column", column: guess };
}

/** A choice as the value of an option: a column may have any name. */
export function toValue(document: DocumentChoice): string {
  return document.from === "column" ? `column:${document.column}` : document.from;
}

const column = "column:";

export function fromValue(value: string): DocumentChoice {
  if (value.startsWith(column)) return { from: "column", column: value.slice(column.length) };
  return value === "system_message" ? { from: "system_message" } : { from: "none" };
}

/** What can be the document of the lines of a batch, grouped for a select. */
export function listDocuments({ columns, hasSystemMessages }: { columns: string[]; hasSystemMessages: boolean }) {
  const always = [{ value: "none", label: "None: the prompt is all there is to go by" }];
  const system = hasSystemMessages ? [{ value: "system_message", label: "The system message" }] : [];
  // The same name twice would be the same option twice.
  const items = [...new Set(columns)].map((name) => ({
    value: toValue({ from: "column", column: name }),
    label: name,
  }));
  return items.length === 0
    ? [...always, ...system]
    : [...always, ...system, { group: "A column of the table it was built from", items }];
}
