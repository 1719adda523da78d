import { Checkbox, Select } from "@mantine/core";
import { type CsvOptions, csvDelimiters, excelCsvOptions } from "#contract";
import classes from "../../../components/dialog-form.module.css";

export interface CsvChoicesProps {
  readonly options: CsvOptions;
  readonly onChange: (options: CsvOptions) => void;
  readonly disabled: boolean;
}

const delimiterNames: Readonly<Record<(typeof csvDelimiters)[number], string>> = {
  ",": "Comma",
  ";": "Semicolon",
  "\t": "Tab",
};

function describeMarks({ delimiter, decimalComma }: CsvOptions): string {
  return `${delimiter === ";" ? "semicolons" : "commas"} and decimal ${decimalComma ? "commas" : "points"}`;
}

/** How a CSV file is written: for Excel in the user's locale, or as chosen one by one. */
export function CsvChoices({ options, onChange, disabled }: CsvChoicesProps) {
  const { byteOrderMark = false, delimiter = ",", decimalComma = false, escapeFormulas = true } = options;
  const excel = excelCsvOptions(navigator.language);
  const isForExcel = byteOrderMark && delimiter === excel.delimiter && decimalComma === (excel.decimalComma ?? false);
  return (
    <fieldset className={classes.choices} disabled={disabled}>
      <legend className={classes.legend}>CSV</legend>
      <Checkbox
        label="For Excel"
        description={`Byte-order mark, ${describeMarks(excel)}. A double click opens the file.`}
        checked={isForExcel}
        onChange={(event) => onChange({ escapeFormulas, ...(event.currentTarget.checked && excel) })}
      />
      <Select
        label="Delimiter"
        data={csvDelimiters.map((value) => ({ value, label: delimiterNames[value] }))}
        value={delimiter}
        onChange={(value) => onChange({ ...options, delimiter: csvDelimiters.find((one) => one === value) })}
        allowDeselect={false}
        disabled={disabled}
        w={160}
      />
      <Checkbox
        label="Byte-order mark"
        checked={byteOrderMark}
        onChange={(event) => onChange({ ...options, byteOrderMark: event.currentTarget.checked })}
      />
      <Checkbox
        label="Apostrophe before formulas"
        description="A spreadsheet then shows text such as =A1 and runs nothing."
        checked={escapeFormulas}
        onChange={(event) => onChange({ ...options, escapeFormulas: event.currentTarget.checked })}
      />
    </fieldset>
  );
}
