import { Select } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ModelView } from "#contract";
import { formatNumber, shortModelName } from "../../../components/index.ts";
import classes from "./prompt.module.css";

interface ModelSelectProps {
  readonly models: readonly ModelView[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Chooses the model that answers: by a short name, with its id and its limits. */
export function ModelSelect({ models, value, onChange }: ModelSelectProps) {
  const isKnown = value === "" || models.length === 0 || models.some(({ id }) => id === value);
  const data = models.map(({ id }) => ({ value: id, label: shortModelName(id) }));
  return (
    <Select
      label="Model"
      placeholder="Choose a model"
      data={value === "" || models.some(({ id }) => id === value) ? data : [...data, { value, label: value }]}
      value={value === "" ? null : value}
      error={isKnown ? null : "Not offered here"}
      allowDeselect={false}
      withCheckIcon={false}
      comboboxProps={{ width: "max-content", position: "bottom-start", transitionProps: { duration: 80 } }}
      maxDropdownHeight={360}
      title={value}
      onChange={(id) => id !== null && onChange(id)}
      renderOption={({ option }) => {
        const model = models.find(({ id }) => id === option.value);
        return (
          <div className={classes.model}>
            <div>
              <div>{option.label}</div>
              <div className={classes.modelId}>{option.value}</div>
              {model === undefined ? null : (
                <div className={classes.modelLimits}>
                  {formatNumber(model.contextTokens)} tokens of context, {formatNumber(model.outputTokens)} in the
                  answer
                </div>
              )}
            </div>
            {option.value === value ? <IconCheck size={16} aria-label="chosen" /> : null}
          </div>
        );
      }}
    />
  );
}
