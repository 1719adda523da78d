import { Autocomplete, type AutocompleteProps } from "@mantine/core";
import { useState } from "react";

export interface ModelPickerProps extends Omit<AutocompleteProps, "data" | "filter" | "limit" | "onDropdownClose"> {
  readonly models: readonly string[];
  readonly value: string;
  readonly onChange: (model: string) => void;
}

/** A model by its id: a click shows all that are offered, typing searches them, and any other name can be typed. */
export function ModelPicker({ models, onChange, comboboxProps, ...field }: ModelPickerProps) {
  /** What is in the field when the list opens is the choice, not a search. */
  const [isSearch, setIsSearch] = useState(false);
  return (
    <Autocomplete
      maxDropdownHeight={360}
      spellCheck={false}
      title={field.value}
      {...field}
      data={[...models]}
      filter={({ options, search }) => {
        const words = isSearch ? search.toLowerCase().split(/\s+/) : [];
        return options.filter(
          (option) => "value" in option && words.every((word) => option.value.toLowerCase().includes(word)),
        );
      }}
      comboboxProps={{ transitionProps: { duration: 80 }, ...comboboxProps }}
      onDropdownClose={() => setIsSearch(false)}
      onChange={(model) => {
        setIsSearch(true);
        onChange(model);
      }}
    />
  );
}
