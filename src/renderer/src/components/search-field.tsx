import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { Ref } from "react";

export interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Undefined while nothing is looked for. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** From the field into what it searches. */
  readonly onLeave: () => void;
  readonly className: string | undefined;
  readonly ref: Ref<HTMLInputElement>;
}

/** What is looked for above a table. Escape clears it, the arrow down and Enter lead into the table. */
export function SearchField({ label, placeholder, value, onChange, onLeave, className, ref }: SearchFieldProps) {
  const clear = () => onChange(undefined);
  return (
    <TextInput
      ref={ref}
      className={className}
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} stroke={1.8} />}
      rightSection={value ? <CloseButton size="sm" aria-label="Clear the search" onClick={clear} /> : null}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value.slice(0, 200) || undefined)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && value) clear();
        else if (event.key === "ArrowDown" || event.key === "Enter") onLeave();
        else return;
        event.preventDefault();
      }}
    />
  );
}
