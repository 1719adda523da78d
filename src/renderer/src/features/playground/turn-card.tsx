import { Button } from "@mantine/core";
import { IconPencil, IconRefresh } from "@tabler/icons-react";
import { memo, useEffect, useRef, useState } from "react";
import { kindOfFinish } from "#contract";
import { useRpc } from "../../bridge/index.ts";
import {
  AnswerText,
  CopyButton,
  ErrorCard,
  formatCount,
  formatLatency,
  IconAction,
  LongTextField,
  unbrokenProps,
} from "../../components/index.ts";
import { isBlank, type Turn } from "./conversation.ts";
import { usePlayground } from "./playground-store.ts";
import classes from "./turn-card.module.css";

/** Gives the focus back to the button that began the editing, once that has ended. */
function useReturnFocus(isEditing: boolean) {
  const card = useRef<HTMLElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) {
      card.current?.querySelector<HTMLElement>('button[aria-label^="Edit"]')?.focus();
    }
    wasEditing.current = isEditing;
  }, [isEditing]);
  return card;
}

interface TurnCardProps {
  readonly turn: Turn;
  /** False while an answer is coming. */
  readonly canAct: boolean;
  readonly isStreaming?: boolean;
}

/** A question or an answer, with what can be done with it. One that is long is not drawn again for each key or word elsewhere. */
export const TurnCard = memo(function TurnCard({ turn, canAct, isStreaming = false }: TurnCardProps) {
  const rpc = useRpc();
  const retry = usePlayground((state) => state.retry);
  const [isEditing, setEditing] = useState(false);
  const card = useReturnFocus(isEditing);
  const { id, role, text, reasoning, model, failure } = turn;
  const isAnswer = role === "assistant";
  const name = isAnswer ? (model ?? "Answer") : "You";
  return (
    <article
      ref={card}
      className={classes.root}
      data-role={role}
      {...unbrokenProps(text)}
      aria-label={isAnswer ? "Answer" : "Question"}
      aria-busy={isStreaming}
    >
      <header className={classes.head}>
        <span className={classes.role}>{name}</span>
        {canAct && !isEditing ? (
          <div className={classes.actions}>
            {text === "" ? null : (
              <>
                <CopyButton compact label={isAnswer ? "Copy the answer" : "Copy the question"} value={text} />
                <IconAction
                  label={isAnswer ? "Edit the answer" : "Edit the question"}
                  icon={IconPencil}
                  onClick={() => setEditing(true)}
                />
              </>
            )}
            <IconAction
              label={isAnswer ? "Answer again" : "Ask again from here"}
              icon={IconRefresh}
              onClick={() => retry(id, rpc)}
            />
          </div>
        ) : null}
      </header>
      {isEditing ? (
        <TurnEditor turn={turn} onClose={() => setEditing(false)} />
      ) : (
        <>
          {reasoning === "" ? null : (
            <details className={classes.reasoning}>
              <summary>Thought before the answer</summary>
              <div dir="auto">{reasoning}</div>
            </details>
          )}
          <Text text={text} isAnswer={isAnswer} isStreaming={isStreaming} />
        </>
      )}
      {failure === null ? null : (
        <ErrorCard
          title="There is no whole answer"
          message={failure.message}
          details={failure.details}
          {...(canAct && { onRetry: () => retry(id, rpc) })}
        />
      )}
      {isAnswer && !isStreaming ? <Figures turn={turn} /> : null}
    </article>
  );
});

function Text({
  text,
  isAnswer,
  isStreaming,
}: {
  readonly text: string;
  readonly isAnswer: boolean;
  readonly isStreaming: boolean;
}) {
  const plain = (
    <div className={classes.text} dir="auto">
      {text}
    </div>
  );
  if (text === "") return isStreaming ? <p className={classes.waiting}>Waiting for the first word</p> : null;
  if (!isAnswer) return plain;
  return <AnswerText text={text} />;
}

/** What the answer took; what the server does not report is left out. */
function Figures({ turn }: { readonly turn: Turn }) {
  const { promptTokens, completionTokens, milliseconds, finish, isStopped } = turn;
  const ended = kindOfFinish(finish);
  const figures = [
    promptTokens === null ? null : formatCount(promptTokens, "prompt token"),
    completionTokens === null ? null : formatCount(completionTokens, "answer token"),
    milliseconds === null ? null : formatLatency(milliseconds),
    isStopped ? "stopped" : null,
    ended === "cut" ? "cut off at the most tokens" : null,
    ended === "filtered" ? "withheld by a content filter" : null,
    ended === "other" && finish !== null ? `ended with “${finish}”` : null,
  ].filter((figure) => figure !== null);
  return figures.length === 0 ? null : <p className={classes.figures}>{figures.join(" · ")}</p>;
}

function TurnEditor({ turn, onClose }: { readonly turn: Turn; readonly onClose: () => void }) {
  const rpc = useRpc();
  const edit = usePlayground((state) => state.edit);
  const [text, setText] = useState(turn.text);
  const isQuestion = turn.role === "user";
  const save = () => {
    if (isBlank(text)) return;
    edit(turn.id, text, rpc);
    onClose();
  };
  return (
    <>
      <LongTextField
        label={isQuestion ? "Question" : "Answer"}
        minRows={2}
        maxRows={16}
        isFocused
        value={text}
        onChange={setText}
        onKey={(event) => {
          if (event.key === "Escape") onClose();
          else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
          else return false;
          event.stopPropagation();
          return true;
        }}
      />
      <div className={classes.editActions}>
        <Button size="xs" variant="filled" disabled={isBlank(text)} onClick={save}>
          {isQuestion ? "Ask this instead" : "Keep the change"}
        </Button>
        <Button size="xs" onClick={onClose}>
          Cancel
        </Button>
        {isQuestion ? <span className={classes.note}>What follows it goes.</span> : null}
      </div>
    </>
  );
}
