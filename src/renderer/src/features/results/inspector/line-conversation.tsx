import { Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconHourglassEmpty, IconPlayerSkipForward } from "@tabler/icons-react";
import { type ReactNode, useMemo } from "react";
import { type ChatMessage, type FinishKind, kindOfFinish, type ResultDetail } from "#contract";
import {
  AnswerFormChoice,
  AnswerText,
  CopyButton,
  formatLatency,
  formatNumber,
  listPictures,
  type SentColumns,
  SentPicture,
  splitFields,
  unbrokenProps,
} from "../../../components/index.ts";
import { useAnswerForm } from "../../../state/answer-form.ts";
import { AnswerFields } from "./answer-fields.tsx";
import classes from "./line-conversation.module.css";
import { SharedStart, type SharedStartProps, useSplitStart } from "./shared-start.tsx";
import { useExpectedField } from "./use-line-grade.ts";

export interface LineConversationProps extends SharedStartProps {
  readonly detail: ResultDetail;
  /** Where its pictures are read. */
  readonly of: Pick<SentColumns, "batchId" | "merged">;
}

/** One line: its answer or error, then the messages turn by turn, then its figures. */
export function LineConversation({ detail, of, ...start }: LineConversationProps) {
  const split = useSplitStart(detail, of);
  const placed = placePictures(detail).map((turn, at) => ({ ...turn, at, text: split[at] }));
  const shared = split.map(({ start }) => start).join("").length;
  return (
    <>
      <div className={classes.turns}>
        <Outcome detail={detail} />
        {shared === 0 ? null : (
          <SharedStart {...start} length={shared}>
            {placed.map(({ message, text, at }) =>
              text?.start ? <Turn key={at} role={wordOfRole(message.role)} text={text.start} /> : null,
            )}
          </SharedStart>
        )}
        {placed.map(({ message, pictures, text, at }) =>
          text?.start && text.rest === "" && pictures.length === 0 ? null : (
            <Turn key={at} role={wordOfRole(message.role)} text={text?.rest ?? ""}>
              {pictures.length === 0
                ? null
                : pictures.map(({ name, place }) => (
                    <SentPicture key={place} {...of} line={detail.line} place={place} name={name} />
                  ))}
            </Turn>
          ),
        )}
      </div>
      <LineFacts detail={detail} />
    </>
  );
}

const titles = { failed: "This line failed", awaited: "Result not there yet", damaged: "Damaged on disk" } as const;

function Outcome({ detail }: { readonly detail: ResultDetail }) {
  const form = useAnswerForm((state) => state.form);
  const fields = useMemo(() => (detail.state === "answered" ? splitFields(detail.answer) : null), [detail]);
  const expected = useExpectedField(detail);
  switch (detail.state) {
    case "answered":
      return (
        <>
          <Folded title="Reasoning" text={detail.reasoning} />
          <Turn
            role={wordOfRole("assistant")}
            text={detail.answer}
            isAnswer
            {...(fields !== null && form === "rendered" && { drawn: <AnswerFields {...{ fields, expected }} /> })}
          />
          {detail.otherChoices.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the choices of an answer stay in their order.
            <Turn key={at} role={`Choice ${at + 2}`} text={text} isAnswer />
          ))}
          {detail.pictures.map((url) => (
            <Picture key={url} url={url} />
          ))}
        </>
      );
    case "waiting":
      return (
        <p className={classes.note}>
          <IconHourglassEmpty size={16} aria-hidden /> Waiting for its turn
        </p>
      );
    case "skipped":
      return (
        <p className={classes.note}>
          <IconPlayerSkipForward size={16} aria-hidden /> {detail.answer || "The batch ended before this line ran."}
        </p>
      );
    case "failed":
    case "awaited":
    case "damaged":
      return (
        <div className={classes.failed} role="note">
          <IconAlertTriangle size={16} aria-hidden className={classes.icon} />
          <div>
            <div className={classes.failedTitle}>{titles[detail.state]}</div>
            <div className={classes.message} data-find>
              {detail.answer}
            </div>
            <Folded title="What came back" text={detail.partial} />
          </div>
        </div>
      );
  }
}

/** A text that is shown when it is opened; nothing where there is none. */
function Folded({ title, text }: { readonly title: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <details className={classes.folded} {...unbrokenProps(text)}>
      <summary>{title}</summary>
      <div className={classes.text} dir="auto" data-find>
        {text}
      </div>
    </details>
  );
}

/** A picture of the answer. One that is elsewhere is not fetched: its address is shown. */
function Picture({ url }: { readonly url: string }) {
  if (url.startsWith("data:image/")) return <img className={classes.picture} src={url} alt="From the answer" />;
  return (
    <div className={classes.text} dir="auto">
      Picture at {url}
    </div>
  );
}

/** The pictures of each message by their places. Those of a request that is no conversation go with the last one. */
function placePictures({ messages, picture }: ResultDetail) {
  const sent = listPictures(picture);
  let next = 0;
  return messages.map((message, at) => {
    const parts = Array.isArray(message.content)
      ? message.content.filter(({ type }) => type === "image_url").length
      : 0;
    const first = next;
    next = at === messages.length - 1 ? sent.length : next + parts;
    return { message, pictures: sent.slice(first, next) };
  });
}

interface TurnProps {
  readonly role: string;
  readonly text: string;
  readonly isAnswer?: boolean;
  /** The text as it is drawn, where that is neither Markdown nor JSON. */
  readonly drawn?: ReactNode;
  /** Stands below its text, such as pictures; null for none. */
  readonly children?: ReactNode;
}

function Turn({ role, text, isAnswer = false, drawn, children = null }: TurnProps) {
  return (
    <section className={classes.turn} data-answer={isAnswer || undefined} aria-label={role} {...unbrokenProps(text)}>
      <div className={classes.role}>
        {role}
        {isAnswer && text !== "" ? (
          <span className={classes.tools}>
            <AnswerFormChoice />
            <CopyButton compact label="Copy the answer" value={text} />
          </span>
        ) : null}
      </div>
      {text === "" && children !== null
        ? null
        : (drawn ?? <TurnText text={text} isAnswer={isAnswer || role === roleWords.assistant} />)}
      {children}
    </section>
  );
}

function TurnText({ text, isAnswer }: { readonly text: string; readonly isAnswer: boolean }) {
  if (text === "") {
    return (
      <div className={classes.text}>
        <span className={classes.empty}>Empty</span>
      </div>
    );
  }
  return isAnswer ? (
    <div data-find>
      <AnswerText text={text} />
    </div>
  ) : (
    <div className={classes.text} dir="auto" data-find>
      {text}
    </div>
  );
}

const roleWords: Partial<Record<ChatMessage["role"], string>> = {
  system: "System",
  developer: "Developer",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
};

function wordOfRole(role: ChatMessage["role"]): string {
  return roleWords[role] ?? role;
}

/** What reasons to finish mean, for a tooltip. */
const finishMeanings: Readonly<Partial<Record<FinishKind, string>>> = {
  complete: "The answer is complete.",
  cut: "The answer reached the token limit.",
  calls: "The model asked for a tool.",
  filtered: "The model refused to answer, or a filter withheld the answer.",
};

/** The figures of one line. What is not known is left out. */
function LineFacts({ detail }: { readonly detail: ResultDetail }) {
  const { finishReason, end, promptTokens, completionTokens, milliseconds, statusCode, errorCode } = detail;
  const { requestId, model } = detail;
  const tokens = [
    promptTokens === null ? null : `${formatNumber(promptTokens)} in`,
    completionTokens === null ? null : `${formatNumber(completionTokens)} out`,
  ].filter((part) => part !== null);
  return (
    <dl className={classes.facts}>
      {finishReason === null ? null : (
        <Fact name="Finish">
          <Tooltip label={finishMeanings[kindOfFinish(finishReason)] ?? finishReason}>
            <span className={end === "cut" ? classes.warning : undefined}>{finishReason}</span>
          </Tooltip>
        </Fact>
      )}
      {tokens.length === 0 ? null : <Fact name="Tokens">{tokens.join(", ")}</Fact>}
      {milliseconds === null ? null : <Fact name="Time">{formatLatency(milliseconds)}</Fact>}
      {statusCode === null ? null : <Fact name="Status">{statusCode}</Fact>}
      {errorCode === null ? null : (
        <Fact name="Error">
          <code className={classes.code}>{errorCode}</code>
        </Fact>
      )}
      <Fact name="Model">
        <span className={classes.model}>{model}</span>
      </Fact>
      {requestId === null ? null : (
        <Fact name="Request">
          <code className={classes.code}>{requestId}</code>
          <CopyButton compact label="Copy the request id" value={requestId} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className={classes.name}>{name}</dt>
      <dd className={classes.value}>{children}</dd>
    </>
  );
}
