import { TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { defaultCustomId } from "#contract";
import { useContent, useSession } from "../draft/draft-session.ts";
import { useInsertionPoint } from "../template/insertion-point.ts";
import { TemplateEditor } from "../template/template-editor.tsx";
import { AnswerFormatField } from "./answer-format.tsx";
import { JsonEditor } from "./json-editor.tsx";
import { ConnectionSelect, ModelField, OtherModelsField, useOutputLimit } from "./model-choice.tsx";
import { type NumberRule, readNumber } from "./number-field.ts";
import classes from "./prompt.module.css";

/** What all requests have in common next to their messages, and the pattern of their ids. */
export function Parameters({ columns }: { readonly columns: readonly string[] }) {
  const { store } = useSession();
  const outputLimit = useOutputLimit();
  const temperature = useContent((content) => content.temperature);
  const maxCompletionTokens = useContent((content) => content.maxCompletionTokens);
  const customId = useContent((content) => content.customId);
  const further = useContent((content) => content.further);

  return (
    <div className={classes.parameters}>
      <ConnectionSelect />
      <ModelField />
      <div>
        <div className={classes.label} id="build-line-id">
          Line id <span className={classes.wireName}>custom_id</span>
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
        onChange={(value) => store.edit({ temperature: value })}
      />
      <NumberField
        label="Most tokens in the answer"
        placeholder="Model’s default"
        value={maxCompletionTokens}
        param="body.max_completion_tokens"
        least={1}
        most={outputLimit}
        isWhole
        onChange={(value) => store.edit({ maxCompletionTokens: value })}
      />
      <AnswerFormatField />
      <div className={classes.whole}>
        <OtherModelsField />
      </div>
      <div className={classes.whole}>
        <div className={classes.label}>
          Further parameters <span className={classes.wireName}>JSON</span>
        </div>
        <JsonEditor
          param="body"
          value={further}
          label="Further parameters"
          placeholder={'{ "top_p": 0.9, "seed": 7, "stop": ["###"] }'}
          onChange={(text) => store.edit({ further: text })}
          onUndo={store.undo}
          onRedo={store.redo}
        />
      </div>
    </div>
  );
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
  const unread = useStore(view, (state) => state.unread[name]);
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
