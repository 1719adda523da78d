import type { ComboboxParsedItem, OptionsFilter } from "@mantine/core";
import { foldText } from "#contract";

/** The options of a list whose labels hold what was typed, as every search compares texts. */
export const filterOptions: OptionsFilter = ({ options, search, limit }) => {
  const wanted = foldText(search.trim());
  let found = 0;
  const take = (option: ComboboxParsedItem): ComboboxParsedItem[] => {
    if ("items" in option) return [{ ...option, items: option.items.flatMap(take) as typeof option.items }];
    if (found >= limit || !foldText(option.label).includes(wanted)) return [];
    found += 1;
    return [option];
  };
  return options.flatMap(take);
};
