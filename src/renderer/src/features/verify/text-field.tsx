import { useId } from "react";
import { longestVerifyText } from "#contract";
import { formatNumber } from "../../components/index.ts";
import { MarkedEditor, type MarkedEditorProps } from "./marked-editor.tsx";
import classes from "./text-field.module.css";
import { isTooLong } from "./texts.ts";

/** From this many characters on a field counts them. */
const longText = 2_000;

type TextFieldProps = Omit<MarkedEditorProps, "problemId"> & {
  /** What is said beside the label: "optional". */
  readonly hint?: string;
};

/** A text with its label and, where it is long, its length. */
export function TextField({ hint, ...editor }: TextFieldProps) {
  const id = useId();
  const { length } = editor.value;
  const isWrong = isTooLong(editor.value);
  return (
    <div className={classes.root}>
      <div className={classes.head}>
        <span className={classes.label}>{editor.label}</span>
        {hint === undefined ? null : <span className={classes.hint}>{hint}</span>}
        {length < longText ? null : (
          <span className={classes.count} id={id} data-wrong={isWrong || undefined}>
            {formatNumber(length)} characters
            {isWrong ? `, ${formatNumber(length - longestVerifyText)} too many` : null}
          </span>
        )}
      </div>
      <MarkedEditor {...editor} problemId={isWrong ? id : null} />
    </div>
  );
}
