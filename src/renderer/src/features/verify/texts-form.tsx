import { useId, useMemo } from "react";
import { longestVerifyText, type Verification } from "#contract";
import { formatNumber } from "../../components/index.ts";
import { type ActiveClaim, MarkedEditor, type MarkedEditorProps } from "./marked-editor.tsx";
import { listMarks, type Mark } from "./marks.ts";
import { areSame, isTooLong, type TextName, textNames, toTexts } from "./texts.ts";
import classes from "./texts-form.module.css";
import { useVerifyDraft } from "./verify-draft.ts";

const fields = {
  prompt: { label: "Prompt", placeholder: "What the model was asked", size: "small" },
  document: { label: "Document", hint: "optional", placeholder: "What the response has to go by", size: "large" },
  response: { label: "Response", placeholder: "What the model answered", size: "large" },
} as const satisfies Record<TextName, object>;

interface TextsFormProps {
  readonly verification: Verification | null;
  readonly active: ActiveClaim | null;
  /** Called with the claim that the pointer is on in the texts. */
  readonly onPoint: (claim: number | null) => void;
}

/** The three texts, with what a verification found marked in them. */
export function TextsForm({ verification, active, onPoint }: TextsFormProps) {
  const texts = useVerifyDraft((state) => state.texts);
  const setTexts = useVerifyDraft((state) => state.setTexts);
  const isCurrent = verification !== null && areSame(texts, toTexts(verification));
  const marks = useMemo(
    () => (verification === null || !isCurrent ? noMarks : markTexts(verification)),
    [verification, isCurrent],
  );
  return (
    <div className={classes.root}>
      {textNames.map((name) => (
        <TextField
          key={name}
          {...fields[name]}
          value={texts[name]}
          marks={marks[name]}
          active={active}
          onPoint={onPoint}
          onChange={(text) => setTexts({ [name]: text })}
        />
      ))}
    </div>
  );
}

const noMarks: Record<TextName, readonly Mark[]> = { prompt: [], document: [], response: [] };

function markTexts({ result }: Verification): Record<TextName, readonly Mark[]> {
  return {
    prompt: listMarks(result, "prompt"),
    document: listMarks(result, "document"),
    response: listMarks(result, "response"),
  };
}

/** From this many characters on a field counts them. */
const longText = 2_000;

type TextFieldProps = Omit<MarkedEditorProps, "problemId"> & {
  /** Shown next to the label: "optional". */
  readonly hint?: string;
};

/** A text with its label and, where it is long, its length. */
function TextField({ hint, ...editor }: TextFieldProps) {
  const id = useId();
  const { length } = editor.value;
  const isWrong = isTooLong(editor.value);
  return (
    <div>
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
