import { ActionIcon, Button, Checkbox, NativeSelect, SegmentedControl, TagsInput, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerFormat } from "#contract";
import { describeError, useRpc } from "../../../bridge/index.ts";
import { usePrompt, useSession } from "../draft/draft-session.ts";
import classes from "./answer-format.module.css";
import { JsonEditor } from "./json-editor.tsx";
import promptClasses from "./prompt.module.css";
import { type FieldType, fieldTypes, readSchema, type SchemaField, writeSchema } from "./schema-fields.ts";

const typeNames: Readonly<Record<FieldType, string>> = {
  text: "Text",
  number: "Number",
  whole: "Whole number",
  yes_no: "Yes or no",
  choice: "One of",
  list: "List of texts",
};

const newField: SchemaField = { name: "answer", type: "text", choices: [], required: true };
const newSchema: AnswerFormat = { type: "json_schema", name: "answer", schema: writeSchema([newField]), strict: true };

/** What the answers are: text, any JSON object, or JSON by a schema that is filled in as a form or written. */
export function AnswerFormatField() {
  const { store } = useSession();
  const format = usePrompt((prompt) => prompt.answerFormat);
  const [lastSchema, setLastSchema] = useState<AnswerFormat>(newSchema);
  const choose = (type: string) => {
    if (format?.type === "json_schema") setLastSchema(format);
    if (type === "text") store.editPrompt({ answerFormat: null });
    else store.editPrompt({ answerFormat: type === "json_object" ? { type } : lastSchema });
  };
  return (
    <div className={promptClasses.whole}>
      <div className={promptClasses.label}>
        Answer <span className={promptClasses.wireName}>response_format</span>
      </div>
      <SegmentedControl
        size="xs"
        aria-label="Format of the answer"
        data={[
          { value: "text", label: "Text" },
          { value: "json_object", label: "JSON object" },
          { value: "json_schema", label: "JSON schema" },
        ]}
        value={format?.type ?? "text"}
        onChange={choose}
      />
      {format?.type === "json_schema" ? <Schema format={format} /> : null}
    </div>
  );
}

type SchemaFormat = Extract<AnswerFormat, { type: "json_schema" }>;

function Schema({ format }: { readonly format: SchemaFormat }) {
  const { store } = useSession();
  const fields = readSchema(format.schema);
  const [isForm, setIsForm] = useState(fields !== null);
  const change = (part: Partial<SchemaFormat>) => store.editPrompt({ answerFormat: { ...format, ...part } });
  const hasForm = isForm && fields !== null;
  return (
    <div className={classes.schema}>
      <div className={classes.bar}>
        <span className={promptClasses.wireName}>name</span>
        <TextInput
          size="xs"
          aria-label="Name of the schema"
          value={format.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Checkbox
          size="xs"
          label="Strict"
          checked={format.strict}
          onChange={({ currentTarget }) => change({ strict: currentTarget.checked })}
        />
        <Button size="compact-xs" variant="subtle" disabled={fields === null} onClick={() => setIsForm(!hasForm)}>
          {hasForm ? "Edit as JSON" : "Edit as a form"}
        </Button>
      </div>
      {hasForm ? (
        <Fields fields={fields} onChange={(changed) => change({ schema: writeSchema(changed) })} />
      ) : (
        <JsonEditor
          param="body.response_format"
          value={format.schema}
          label="JSON schema of the answer"
          placeholder={'{ "type": "object", "properties": { } }'}
          onChange={(schema) => change({ schema })}
          onUndo={store.undo}
          onRedo={store.redo}
        />
      )}
      <TrySchema schema={format.schema} />
    </div>
  );
}

interface FieldsProps {
  readonly fields: readonly SchemaField[];
  readonly onChange: (fields: readonly SchemaField[]) => void;
}

/** The fields of the answer, one a row. A name that another field has is not taken. */
function Fields({ fields, onChange }: FieldsProps) {
  const change = (at: number, part: Partial<SchemaField>) =>
    onChange(fields.map((field, index) => (index === at ? { ...field, ...part } : field)));
  const isFree = (name: string) => fields.every((field) => field.name !== name);
  const freeName = Array.from({ length: fields.length + 1 }, (_, at) => `field_${at + 1}`).find(isFree) ?? "field";
  return (
    <>
      <ul className={classes.fields} aria-label="Fields of the answer">
        {fields.map((field, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field has nothing but its place that stays while it is renamed.
          <li key={at} className={classes.field}>
            <TextInput
              size="xs"
              aria-label={`Name of field ${at + 1}`}
              value={field.name}
              onChange={({ currentTarget: { value: name } }) => isFree(name) && change(at, { name })}
            />
            <NativeSelect
              size="xs"
              aria-label={`Type of ${field.name}`}
              data={fieldTypes.map((value) => ({ value, label: typeNames[value] }))}
              value={field.type}
              onChange={({ currentTarget }) =>
                change(at, { type: fieldTypes.find((type) => type === currentTarget.value) ?? "text" })
              }
            />
            <Checkbox
              size="xs"
              label="Required"
              checked={field.required}
              onChange={({ currentTarget }) => change(at, { required: currentTarget.checked })}
            />
            <ActionIcon
              variant="subtle"
              size={26}
              aria-label={`Remove ${field.name}`}
              onClick={() => onChange(fields.toSpliced(at, 1))}
            >
              <IconTrash size={15} />
            </ActionIcon>
            {field.type === "choice" ? (
              <TagsInput
                size="xs"
                className={classes.choices}
                aria-label={`Choices of ${field.name}`}
                placeholder="Type a choice and press Enter"
                value={[...field.choices]}
                onChange={(choices) => change(at, { choices })}
              />
            ) : null}
          </li>
        ))}
      </ul>
      <Button
        size="compact-xs"
        variant="subtle"
        className={classes.add}
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...fields, { ...newField, name: freeName }])}
      >
        Add field
      </Button>
    </>
  );
}

/** Tries the schema on an answer, before any is paid for. */
function TrySchema({ schema }: { readonly schema: string }) {
  const rpc = useRpc();
  const [answer, setAnswer] = useState("");
  const trial = useMutation({ mutationFn: () => rpc.build.trySchema({ schema, answer }) });
  return (
    <details className={classes.trial}>
      <summary>Try it on an answer</summary>
      <JsonEditor value={answer} label="An answer to try" placeholder={'{ "answer": "…" }'} onChange={setAnswer} />
      <div className={classes.bar}>
        <Button size="compact-xs" loading={trial.isPending} onClick={() => trial.mutate()}>
          Try
        </Button>
        <div role="status">
          {trial.isError ? describeError(trial.error).message : null}
          {trial.data?.length === 0 ? "The answer fits the schema." : null}
        </div>
      </div>
      {trial.data === undefined || trial.data.length === 0 ? null : (
        <ul className={classes.problems}>
          {trial.data.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </details>
  );
}
