import { NumberInput } from "@mantine/core";
import { formatNumber } from "../../../components/index.ts";

interface NumberFieldProps {
  readonly label: string;
  /** What holds while the field is empty. */
  readonly placeholder: string;
  readonly value: number | null;
  readonly least: number;
  /** Null where there is no upper end. */
  readonly most: number | null;
  readonly step: number;
  readonly isWhole?: boolean;
  readonly onChange: (value: number | null) => void;
}

/** A number that may be left out. What is out of range is said, never changed behind one's back. */
export function NumberField({
  label,
  placeholder,
  value,
  least,
  most,
  step,
  isWhole = false,
  onChange,
}: NumberFieldProps) {
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
