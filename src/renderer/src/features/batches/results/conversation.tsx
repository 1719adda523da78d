import { IconAlertTriangle, IconHourglassEmpty, IconPlayerSkipForward } from "@tabler/icons-react";
import type { ResultDetail } from "#contract";
import { CopyButton } from "../../../components/index.ts";
import classes from "./conversation.module.css";
import { textOfMessage, wordOfRole } from "./conversation-text.ts";

/** What was said, turn by turn, and what came of it. */
export function Conversation({ detail }: { readonly detail: ResultDetail }) {
  let turn = 0;
  return (
    <div className={classes.root}>
      {detail.messages.map((message) => {
        turn += 1;
        return <Turn key={turn} role={wordOfRole(message.role)} text={textOfMessage(message)} />;
      })}
      <Outcome detail={detail} />
    </div>
  );
}

function Outcome({ detail }: { readonly detail: ResultDetail }) {
  switch (detail.state) {
    case "answered":
      return <Turn role={wordOfRole("assistant")} text={detail.answer} isAnswer />;
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
      return (
        <div className={classes.failed} role="note">
          <IconAlertTriangle size={16} aria-hidden className={classes.icon} />
          <div>
            <div className={classes.failedTitle}>This line failed</div>
            <div className={classes.message}>{detail.answer}</div>
          </div>
        </div>
      );
  }
}

function Turn({
  role,
  text,
  isAnswer = false,
}: {
  readonly role: string;
  readonly text: string;
  readonly isAnswer?: boolean;
}) {
  return (
    <section className={classes.turn} data-answer={isAnswer || undefined} aria-label={role}>
      <div className={classes.role}>
        {role}
        {isAnswer && text !== "" ? <CopyButton compact label="Copy the answer" value={text} /> : null}
      </div>
      <div className={classes.text}>{text === "" ? <span className={classes.empty}>Empty</span> : text}</div>
    </section>
  );
}
