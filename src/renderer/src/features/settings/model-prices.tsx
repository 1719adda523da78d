import { Button, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { Preset } from "#contract";
import { IconAction } from "../../components/index.ts";
import classes from "./connection-dialog.module.css";
import { type ConnectionFields, emptyModelPrice, type FieldErrors, type ModelPriceFields } from "./connection-form.ts";

interface ModelPricesProps {
  readonly fields: ConnectionFields;
  readonly errors: FieldErrors;
  readonly preset: Preset | null;
  /** Whether its service has batches, which may cost less. */
  readonly hasFactor: boolean;
  readonly onChange: (changed: Partial<ConnectionFields>) => void;
}

const columns = [
  { key: "input", all: "inputPrice", label: "Input" },
  { key: "cached", all: "cachedPrice", label: "Cached" },
  { key: "cacheWrite", all: "cacheWritePrice", label: "Cache write" },
  { key: "output", all: "outputPrice", label: "Output" },
  { key: "factor", all: "priceFactor", label: "Batch ×" },
] as const;

/** What tokens cost, by the model: first of all that have no row of their own. */
export function ModelPrices({ fields, errors, preset, hasFactor, onChange }: ModelPricesProps) {
  const { modelPrices } = fields;
  const shown = hasFactor ? columns : columns.slice(0, -1);
  const change = (at: number, changed: Partial<ModelPriceFields>) =>
    onChange({ modelPrices: modelPrices.map((row, nth) => (nth === at ? { ...row, ...changed } : row)) });
  const hint = preset?.priceProvider == null ? "Unknown" : "List";
  const hints = {
    input: hint,
    cached: "= input",
    cacheWrite: "= input",
    output: hint,
    factor: String(preset?.priceFactor ?? "Unknown"),
  };
  const wrong = [...columns.map(({ all }) => errors[all]), errors.modelPrices].find((error) => error !== undefined);
  return (
    <fieldset className={classes.prices}>
      <legend className={classes.label}>Prices in $ per million tokens</legend>
      <div className={classes.priceTable} data-columns={shown.length}>
        <span />
        {shown.map(({ key, label }) => (
          <span key={key} className={classes.priceHead} aria-hidden>
            {label}
          </span>
        ))}
        <span />
        <span className={classes.priceModel}>{modelPrices.length === 0 ? "All models" : "Other models"}</span>
        {shown.map(({ key, all, label }) => (
          <TextInput
            key={key}
            size="xs"
            aria-label={`${label}, all models`}
            placeholder={hints[key]}
            value={fields[all]}
            error={errors[all] !== undefined}
            inputMode="decimal"
            onChange={({ currentTarget }) => onChange({ [all]: currentTarget.value })}
          />
        ))}
        <span />
        {modelPrices.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is what is typed into it, and has no other name.
          <ModelRow key={at} row={row} columns={shown} number={at + 1} onChange={(changed) => change(at, changed)}>
            <IconAction
              label="Remove"
              name={`Remove the prices of ${row.model || `model ${at + 1}`}`}
              icon={IconX}
              onClick={() => onChange({ modelPrices: modelPrices.filter((_, nth) => nth !== at) })}
            />
          </ModelRow>
        ))}
      </div>
      {wrong === undefined ? null : (
        <p className={classes.priceError} role="alert">
          {wrong}
        </p>
      )}
      <Button
        size="xs"
        variant="subtle"
        className={classes.more}
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange({ modelPrices: [...modelPrices, emptyModelPrice] })}
      >
        Add model
      </Button>
    </fieldset>
  );
}

interface ModelRowProps {
  readonly row: ModelPriceFields;
  readonly columns: readonly (typeof columns)[number][];
  readonly number: number;
  readonly onChange: (changed: Partial<ModelPriceFields>) => void;
  readonly children: React.ReactNode;
}

function ModelRow({ row, columns: shown, number, onChange, children }: ModelRowProps) {
  const name = row.model || `model ${number}`;
  return (
    <>
      <TextInput
        size="xs"
        aria-label={`Model ${number}`}
        placeholder="gpt-4o-mini"
        spellCheck={false}
        value={row.model}
        onChange={({ currentTarget }) => onChange({ model: currentTarget.value })}
      />
      {shown.map(({ key, label }) => (
        <TextInput
          key={key}
          size="xs"
          aria-label={`${label}, ${name}`}
          value={row[key]}
          inputMode="decimal"
          onChange={({ currentTarget }) => onChange({ [key]: currentTarget.value })}
        />
      ))}
      {children}
    </>
  );
}
