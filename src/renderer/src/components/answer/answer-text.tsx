import { SegmentedControl } from "@mantine/core";
import { type ReactNode, Suspense, useMemo } from "react";
import { useAnswerForm } from "../../state/answer-form.ts";
import { Boundary } from "../boundary.tsx";
import { JsonView } from "../json/json-view.tsx";
import { isJsonText, readJson } from "../json/read-json.ts";
import type { TextRange } from "../markdown/mark-words.ts";
import { MarkdownText } from "../markdown/markdown.tsx";
import type { PlainReason } from "../markdown/parse-markdown.ts";
import classes from "./answer-text.module.css";

export interface AnswerTextProps {
  readonly text: string;
  /** How it differs from another answer; left out where it isn't compared. */
  readonly difference?: AnswerDifference;
}

/** What an answer has that another one does not have. */
export interface AnswerDifference {
  /** Draws both texts as they look after `view`, with the difference marked. */
  readonly draw: (view: (text: string) => string) => ReactNode;
  /** Parts of the text. */
  readonly marks: readonly TextRange[];
}

const asWritten = (text: string) => text;
const indent = (text: string) => readJson(text, true).text;

/** An answer, rendered (JSON indented, Markdown drawn) or as written. The user chooses which. It never fails. */
export function AnswerText({ text, difference }: AnswerTextProps) {
  const form = useAnswerForm((state) => state.form);
  const isJson = useMemo(() => isJsonText(text), [text]);
  const written = difference?.draw(asWritten) ?? text;
  const plain = (
    <div className={classes.plain} dir="auto">
      {written}
    </div>
  );
  if (form === "written") {
    return (
      <Boundary title="The answer could not be shown" of={text} instead={plain}>
        <div className={classes.written} dir="auto" data-written>
          {isJson && !difference ? <JsonView text={text} label="Answer as written" isWritten /> : written}
        </div>
      </Boundary>
    );
  }
  const instead = (reason: PlainReason | "failed" | null) => (
    <>
      {plain}
      {reason === null ? null : (
        <p className={classes.note} data-unfound>
          {reasons[reason]}
        </p>
      )}
    </>
  );
  return (
    <Boundary title="The answer could not be shown" of={text} instead={instead("failed")}>
      {isJson && difference ? (
        <div className={classes.code}>{difference.draw(indent)}</div>
      ) : isJson ? (
        <JsonView text={text} label="Answer as JSON" />
      ) : (
        <Suspense fallback={plain}>
          <MarkdownText text={text} kind="answer" plain={instead} {...(difference && { marks: difference.marks })} />
        </Suspense>
      )}
    </Boundary>
  );
}

const reasons: Readonly<Record<PlainReason | "failed", string>> = {
  deep: "Shown as written: the answer is nested more than 100 levels deep.",
  large: "Shown as written: the answer has more than 20,000 parts to draw.",
  long: "Shown as written: the answer has more than 200,000 characters.",
  slow: "Shown as written: reading its Markdown took more than 2 seconds.",
  unreadable: "Shown as written: its Markdown could not be read.",
  failed: "Shown as written: it could not be drawn.",
};

/** Chooses for all answers whether they are drawn. */
export function AnswerFormChoice() {
  const { form, choose } = useAnswerForm();
  return (
    <SegmentedControl
      size="xs"
      className={classes.choice}
      data={[
        { value: "rendered", label: "Rendered" },
        { value: "written", label: "As written" },
      ]}
      value={form}
      onChange={(value) => choose(value === "written" ? "written" : "rendered")}
      aria-label="How answers are shown"
    />
  );
}
