import { NativeSelect } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { type MessageRole, messageRoles } from "#contract";
import { IconAction } from "../../../components/index.ts";
import type { DraftMessage } from "../draft/draft-content.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { TemplateEditor } from "../template/template-editor.tsx";
import { Pictures } from "./pictures.tsx";
import classes from "./prompt.module.css";

const roleNames: Readonly<Record<MessageRole, string>> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
};

/** The placeholder of an empty message. */
const roleHints: Readonly<Record<MessageRole, string>> = {
  system: "How to answer: tone, format, what to leave out",
  user: "What to ask of each row. Type {{ for a column",
  assistant: "An answer to lead by example",
};

interface MessageCardProps {
  readonly message: DraftMessage;
  /** Its position among the messages, from 1. */
  readonly number: number;
  readonly count: number;
  readonly columns: readonly string[];
  readonly focusOnMount: boolean;
}

/** One message: its role, its text, and what can be done with it. */
export function MessageCard({ message, number, count, columns, focusOnMount }: MessageCardProps) {
  const { store } = useSession();
  const sourceId = useContent((content) => content.sourceId);
  const { key, role, content } = message;
  const name = `${roleNames[role]} message ${number}`;
  const actions = [
    { label: "Move up", icon: IconArrowUp, isOff: number === 1, run: () => store.moveMessage(key, -1) },
    { label: "Move down", icon: IconArrowDown, isOff: number === count, run: () => store.moveMessage(key, 1) },
    { label: "Remove", icon: IconTrash, isOff: count === 1, run: () => store.removeMessage(key) },
  ];
  return (
    <fieldset className={classes.message} aria-label={name}>
      <div className={classes.messageHead}>
        <NativeSelect
          size="xs"
          variant="unstyled"
          className={classes.role}
          aria-label={`Role of message ${number}`}
          data={messageRoles.map((value) => ({ value, label: roleNames[value] }))}
          value={role}
          onChange={({ currentTarget }) => {
            const chosen = messageRoles.find((value) => value === currentTarget.value);
            if (chosen !== undefined) store.editMessage(key, { role: chosen });
          }}
        />
        {role === "user" && (columns.length > 0 || message.imageColumn !== undefined) ? (
          <NativeSelect
            size="xs"
            variant="unstyled"
            className={classes.image}
            aria-label={`Picture of message ${number}`}
            data={[
              { value: "", label: "No picture" },
              ...[...new Set([...columns, ...(message.imageColumn === undefined ? [] : [message.imageColumn])])].map(
                (column) => ({ value: column, label: `Picture from ${column}` }),
              ),
            ]}
            value={message.imageColumn ?? ""}
            onChange={({ currentTarget: { value } }) =>
              store.editMessage(key, { imageColumn: value === "" ? undefined : value })
            }
          />
        ) : null}
        <div className={classes.actions}>
          {actions.map(({ label, icon, isOff, run }) => (
            <IconAction
              key={label}
              label={label}
              name={`${label}: ${name}`}
              icon={icon}
              isOff={isOff}
              size={24}
              onClick={run}
            />
          ))}
        </div>
      </div>
      {sourceId === null || message.imageColumn === undefined || !columns.includes(message.imageColumn) ? null : (
        <Pictures
          key={`${sourceId} ${message.imageColumn}`}
          sourceId={sourceId}
          column={message.imageColumn}
          message={name}
        />
      )}
      <TemplateEditor
        value={content}
        param={`body.messages[${number - 1}].content`}
        columns={columns}
        label={name}
        placeholder={roleHints[role]}
        focusOnMount={focusOnMount}
        onChange={(text) => store.editMessage(key, { content: text })}
        onUndo={store.undo}
        onRedo={store.redo}
      />
    </fieldset>
  );
}
