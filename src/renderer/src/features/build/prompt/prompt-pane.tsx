import { Button, Tabs } from "@mantine/core";
import { IconFileCheck, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { MessageRole, Source } from "#contract";
import { EmptyState } from "../../../components/index.ts";
import { nextRole } from "../draft/draft-content.ts";
import { useContent, usePrompt, useSession } from "../draft/draft-session.ts";
import panes from "../panes/panes.module.css";
import type { VersionCheck } from "../preview/use-checks.ts";
import { MessageCard } from "./message-card.tsx";
import { Parameters } from "./parameters.tsx";
import classes from "./prompt.module.css";
import { VersionsBar } from "./versions-bar.tsx";

const noColumns: readonly string[] = [];

interface PromptPaneProps {
  readonly source: Source | null;
  readonly checks: readonly VersionCheck[];
}

/** What is asked of each row: messages with placeholders, the model and its parameters; a tab for each version of it. */
export function PromptPane({ source, checks }: PromptPaneProps) {
  const { store } = useSession();
  const selected = useContent((content) => content.selected);
  const only = useContent(({ versions }) => versions.length === 1);
  const columns = source?.columns ?? noColumns;
  const prompt = (
    <>
      <Messages columns={columns} />
      <Parameters columns={columns} />
    </>
  );
  return (
    <section className={panes.pane} style={{ gridArea: "prompt" }} aria-labelledby="build-prompt">
      {source?.holds === "requests" ? (
        <>
          <header className={panes.head}>
            <h2 id="build-prompt">Prompt</h2>
          </header>
          <div className={classes.body}>
            <ReadyRequests />
          </div>
        </>
      ) : (
        <Tabs
          className={panes.pane}
          value={selected}
          onChange={(key) => key !== null && store.selectVersion(key)}
          keepMounted={false}
        >
          <VersionsBar checks={checks} />
          {only ? (
            <div className={classes.body}>{prompt}</div>
          ) : (
            <Tabs.Panel key={selected} value={selected} className={classes.body}>
              {prompt}
            </Tabs.Panel>
          )}
        </Tabs>
      )}
    </section>
  );
}

/** Shown in place of the prompt when the file has requests already. */
function ReadyRequests() {
  return (
    <EmptyState icon={<IconFileCheck size={26} stroke={1.5} />} title="This file holds requests already">
      Every line is a request of its own, with its model and its messages. They are checked here and sent as they are,
      to the connection that is named above.
    </EmptyState>
  );
}

/** The messages of each request, in their order. */
function Messages({ columns }: { readonly columns: readonly string[] }) {
  const { store } = useSession();
  const messages = usePrompt((prompt) => prompt.messages);
  const [added, setAdded] = useState<string | null>(null);
  const sourceId = useContent((content) => content.sourceId);
  const [firstSourceId] = useState(sourceId);
  // With its table, what a draft needs next is its question.
  const lacksText = sourceId !== firstSourceId && messages.every(({ content }) => content.trim() === "");
  const add = (role: MessageRole) => setAdded(store.addMessage(role));
  const grows = messages.findLastIndex(({ role }) => role === "user");
  const hasSystem = messages.some(({ role }) => role === "system");
  return (
    <>
      <ol className={classes.messages} aria-label="Messages">
        {messages.map((message, index) => (
          <li key={message.key} data-grows={index === grows || undefined}>
            <MessageCard
              message={message}
              number={index + 1}
              count={messages.length}
              columns={columns}
              focusOnMount={message.key === added || (lacksText && index === grows)}
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
