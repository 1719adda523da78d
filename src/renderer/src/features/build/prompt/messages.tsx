import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { MessageRole } from "#contract";
import { nextRole } from "../draft/draft-content.ts";
import { useContent, useSession } from "../draft/session-context.ts";
import { MessageCard } from "./message-card.tsx";
import classes from "./prompt.module.css";

/** The messages of each request, in their order. */
export function Messages({ columns }: { readonly columns: readonly string[] }) {
  const { store } = useSession();
  const messages = useContent((content) => content.messages);
  const [added, setAdded] = useState<string | null>(null);
  const add = (role: MessageRole) => setAdded(store.addMessage(role));
  const hasSystem = messages.some(({ role }) => role === "system");
  return (
    <>
      <ol className={classes.messages} aria-label="Messages">
        {messages.map((message, index) => (
          <li key={message.key}>
            <MessageCard
              message={message}
              number={index + 1}
              count={messages.length}
              columns={columns}
              focusOnMount={message.key === added}
            />
          </li>
        ))}
      </ol>
      <div className={classes.add}>
        <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => add(nextRole(messages))}>
          Add message
        </Button>
        {hasSystem ? null : (
          <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => add("system")}>
            Add system message
          </Button>
        )}
      </div>
    </>
  );
}
