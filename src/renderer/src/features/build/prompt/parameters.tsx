import { NumberInput } from "@mantine/core";
import { defaultCustomId } from "#contract";
import { formatNumber } from "../../../components/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { TemplateEditor } from "../template/template-editor.tsx";
import { ConnectionSelect, ModelField, useOutputLimit } from "./model-choice.tsx";
import classes from "./prompt.module.css";

/** What all requests have in common next to their messages, and the pattern of their ids. */
export function Parameters({ columns }: { readonly columns: readonly string[] }) {
  const { store } = useSession();
  const outputLimit = useOutputLimit();
  const temperature = useContent((content) => content.temperature);
  const maxCompletionTokens = useContent((content) => content.maxCompletionTokens);
  const customId = useContent((content) => content.customId);

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
        least={0}
        most={2}
        step={0.1}
        onChange={(value) => store.edit({ temperature: value })}
      />
      <NumberField
        label="Most tokens in the answer"
        placeholder="Model’s default"
        value={maxCompletionTokens}
        least={1}
        most={outputLimit}
        step={50}
        isWhole
        onChange={(value) => store.edit({ maxCompletionTokens: value })}
      />
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  /** What applies while the field is empty. */
  readonly placeholder: string;
  readonly value: number | null;
  readonly least: number;
  /** Null where there is no upper end. */
  readonly most: number | null;
  readonly step: number;
  readonly isWhole?: boolean;
  readonly onChange: (value: number | null) => void;
}

/** A number that may be left out. What is out of range is reported, never changed behind one's back. */
function NumberField({ label, placeholder, value, least, most, step, isWhole = false, onChange }: NumberFieldProps) {
  const isWrong = value !== null && (value < least || (most !== null && value > most));
  const range =
    most === null ? `${formatNumber(least)} or more` : `From ${formatNumber(least)} to ${formatNumber(most)}`;
  return (
    <NumberInput
      label={label}
      placeholder={placeholder}
      value={value ?? ""}
      min={least}
      {...(most === null ? {} : { max: most })}
      step={step}
      clampBehavior="none"
      allowNegative={false}
      allowDecimal={!isWhole}
      decimalScale={isWhole ? 0 : 2}
      {...(isWhole ? { thousandSeparator: "," } : {})}
      error={isWrong ? range : null}
      onChange={(typed) => {
        const number = typed === "" ? null : Number(typed);
        if (number === null || Number.isFinite(number)) onChange(number);
      }}
    />
  );
}
