import { TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { defaultCustomId } from "#contract";
import { formatCount } from "../../../components/index.ts";
import type { PromptVersion } from "../draft/draft-content.ts";
import { useContent, usePrompt, useSession } from "../draft/draft-session.ts";
import { useInsertionPoint } from "../template/insertion-point.ts";
import { TemplateEditor } from "../template/template-editor.tsx";
import { AnswerFormatField } from "./answer-format.tsx";
import { JsonEditor } from "./json-editor.tsx";
import { ModelField, OtherModelsField, useOutputLimit } from "./model-choice.tsx";
import { type NumberRule, readNumber } from "./number-field.ts";
import classes from "./prompt.module.css";

/** What all requests have in common next to their messages, and the pattern of their ids. */
export function Parameters({ columns }: { readonly columns: readonly string[] }) {
  const { store } = useSession();
  const outputLimit = useOutputLimit();
  const temperature = usePrompt((prompt) => prompt.temperature);
  const maxCompletionTokens = usePrompt((prompt) => prompt.maxCompletionTokens);
  const further = usePrompt((prompt) => prompt.further);
  const customId = useContent((content) => content.customId);
  const only = useContent(({ versions }) => versions.length === 1);
  const version = usePrompt(({ name }) => name);
  const [isOpen, setIsOpen] = useState(false);

  return (
    <div className={classes.parameters}>
      {only ? null : <h3 className={classes.scope}>The same in all versions</h3>}
      <ModelField />
      <OtherModelsField />
      {only ? null : (
        <h3 className={classes.scope}>
          Only in <span dir="auto">{version}</span>
        </h3>
      )}
      <AnswerFormatField />
      <details className={classes.fold} open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          More parameters
          <span className={classes.set} dir="auto">
            {describeParameters({ customId, temperature, maxCompletionTokens, further })}
          </span>
        </summary>
        <div className={classes.parameters}>
          <div className={classes.whole}>
            <div className={classes.label} id="build-line-id">
              Line id <span className={classes.wireName}>custom_id</span>
              {only ? null : ", the same in all versions"}
            </div>
            <TemplateEditor
              singleLine
              param="custom_id"
              value={customId}
              columns={columns}
              label="Line id"
              placeholder={defaultCustomId}
              onChange={(text) => store.edit({ customId: text })}
              onUndo={store.undo}
              onRedo={store.redo}
            />
          </div>
          <NumberField
            label="Temperature"
            placeholder="Model’s default"
            value={temperature}
            param="body.temperature"
            least={0}
            most={2}
            isWhole={false}
            onChange={(value) => store.editPrompt({ temperature: value })}
          />
          <NumberField
            label="Most tokens in the answer"
            placeholder="Model’s default"
            value={maxCompletionTokens}
            param="body.max_completion_tokens"
            least={1}
            most={outputLimit}
            isWhole
            onChange={(value) => store.editPrompt({ maxCompletionTokens: value })}
          />
          <div className={classes.whole}>
            <div className={classes.label}>
              Further parameters <span className={classes.wireName}>JSON</span>
            </div>
            <JsonEditor
              param="body"
              value={further}
              label="Further parameters"
              placeholder={'{ "top_p": 0.9, "seed": 7, "stop": ["###"] }'}
              onChange={(text) => store.editPrompt({ further: text })}
              onUndo={store.undo}
              onRedo={store.redo}
            />
          </div>
        </div>
      </details>
    </div>
  );
}

/** What is set behind "More parameters", in one line. */
function describeParameters(
  set: Pick<PromptVersion, "temperature" | "maxCompletionTokens" | "further"> & { readonly customId: string },
): string {
  return [
    set.customId.trim() === "" ? null : `line id ${set.customId}`,
    set.temperature === null ? null : `temperature ${set.temperature}`,
    set.maxCompletionTokens === null ? null : `at most ${formatCount(set.maxCompletionTokens, "token")}`,
    set.further.trim() === "" ? null : "further JSON",
  ]
    .filter((part) => part !== null)
    .join(", ");
}

interface NumberFieldProps extends NumberRule {
  readonly label: string;
  /** As problems name it. */
  readonly param: string;
  /** What applies while the field is empty. */
  readonly placeholder: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** A number that may be left out. What was typed stays as it is; what doesn't fit is explained. */
function NumberField({ label, param, placeholder, value, onChange, ...rule }: NumberFieldProps) {
  const { view, keepUnread } = useSession();
  const insertionPoint = useInsertionPoint();
  const field = useRef<HTMLInputElement>(null);
  const name = label.toLowerCase();
  const version = usePrompt(({ key }) => key);
  const unread = useStore(
    view,
    (state) => state.unread.find((one) => one.version === version && one.field === name)?.text,
  );
  const [typed, setTyped] = useState(String(value ?? ""));
  // Undo and a draft that was saved elsewhere change the value behind the text.
  const text = unread ?? (readNumber(typed, rule).value === value ? typed : String(value ?? ""));

  useEffect(
    () => (field.current === null ? undefined : insertionPoint.registerPart(field.current, param)),
    [insertionPoint, param],
  );

  return (
    <TextInput
      ref={field}
      label={label}
      placeholder={placeholder}
      inputMode="decimal"
      value={text}
      error={readNumber(text, rule).problem}
      onChange={({ currentTarget }) => {
        const { value: read, problem } = readNumber(currentTarget.value, rule);
        setTyped(currentTarget.value);
        keepUnread(name, read === null && problem !== null ? currentTarget.value : null);
        if (read !== value) onChange(read);
      }}
    />
  );
}
