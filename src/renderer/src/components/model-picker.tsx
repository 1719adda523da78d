import { Autocomplete, type AutocompleteProps } from "@mantine/core";
import { useState } from "react";
import { foldText } from "#contract";

export interface SuggestionFieldProps extends Omit<AutocompleteProps, "data" | "filter" | "limit" | "onDropdownClose"> {
  readonly suggestions: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text with suggestions: a click shows all of them, typing searches them, and any other text can be typed. */
export function SuggestionField({ suggestions, onChange, comboboxProps, ...field }: SuggestionFieldProps) {
  /** What is in the field when the list opens is the choice, not a search. */
  const [isSearch, setIsSearch] = useState(false);
  return (
    <Autocomplete
      maxDropdownHeight={360}
      spellCheck={false}
      title={field.value}
      {...field}
      data={[...suggestions]}
      filter={({ options, search }) => {
        const words = isSearch ? foldText(search).split(/\s+/) : [];
        return options.filter(
          (option) => "value" in option && words.every((word) => foldText(option.value).includes(word)),
        );
      }}
      comboboxProps={{ transitionProps: { duration: 80 }, ...comboboxProps }}
      onDropdownClose={() => setIsSearch(false)}
      onChange={(value) => {
        setIsSearch(true);
        onChange(value);
      }}
    />
  );
}

export interface ModelPickerProps extends Omit<SuggestionFieldProps, "suggestions"> {
  readonly models: readonly string[];
}

/** A model by its id. */
export function ModelPicker({ models, ...field }: ModelPickerProps) {
  return <SuggestionField suggestions={models} {...field} />;
}
