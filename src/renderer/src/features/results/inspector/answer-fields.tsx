import { type JsonField, JsonView } from "../../../components/index.ts";
import type { ExpectedField } from "../grading/graded-field.ts";
import { NumberText } from "../table/result-cells.tsx";
import classes from "./answer-fields.module.css";

interface AnswerFieldsProps {
  readonly fields: readonly JsonField[];
  /** Null where nothing is expected, or it is not known of which field. */
  readonly expected: ExpectedField | null;
}

/** The fields of an answer in JSON by name and value, with what was expected beside the one that is graded. */
export function AnswerFields({ fields, expected }: AnswerFieldsProps) {
  // Of a key that is there twice, the last value is graded.
  const graded = fields.findLast(({ key }) => key === expected?.key);
  return (
    <table className={classes.table} aria-label="Fields of the answer">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Given</th>
          {graded === undefined ? null : <th scope="col">Expected</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => {
          const { at, key, value, isRepeated } = field;
          const of = field === graded ? expected : null;
          const isWrong = of !== null && !of.isRight;
          return (
            <tr key={at} data-wrong={isWrong || undefined} data-twice={isRepeated || undefined}>
              <th scope="row" dir="auto">
                <span data-find>{key}</span>
                {isRepeated ? <span className={classes.repeated}>key twice</span> : null}
              </th>
              <td colSpan={graded === undefined || of !== null ? 1 : 2}>
                {isWrong ? (
                  <span className={classes.sign} role="img" aria-label="Differs:">
                    ≠
                  </span>
                ) : null}
                <Value text={value} name={key} />
              </td>
              {of === null ? null : (
                <td className={classes.expected} dir="auto">
                  {of.value}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A value with its digits as they are written; texts without their quotes and escapes. */
function Value({ text, name }: { readonly text: string; readonly name: string }) {
  if (/^[[{]/.test(text)) return <JsonView text={text} label={name} />;
  if (!text.startsWith('"')) {
    return (
      <span className={text === "null" ? classes.none : undefined} data-find>
        <NumberText written={text} room={0} />
      </span>
    );
  }
  const value = String(JSON.parse(text));
  if (value === "") return <span className={classes.none}>empty text</span>;
  return (
    <span className={classes.text} dir="auto" data-find>
      {value}
    </span>
  );
}
