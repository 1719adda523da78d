import { Button, Title } from "@mantine/core";
import { IconMessage2, IconPlayerStop, IconPlus, IconSend2, IconStack2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { useShallow } from "zustand/react/shallow";
import type { RequestTemplate } from "#contract";
import { useApi, useRpc } from "../../bridge/index.ts";
import {
  AnswerFormChoice,
  Boundary,
  EmptyState,
  LongTextField,
  type LongTextFieldHandle,
  scrollable,
} from "../../components/index.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import { isBlank, toRequest, toTemplate } from "./conversation.ts";
import { Parameters } from "./parameters.tsx";
import classes from "./playground-page.module.css";
import { usePlayground } from "./playground-store.ts";
import { TurnCard } from "./turn-card.tsx";

export interface PlaygroundPageProps {
  /** Makes a draft of Build with this prompt. */
  readonly onAddToBatch: (template: Partial<RequestTemplate>) => void;
  readonly isAdding: boolean;
}

/** One conversation with any model, with its parameters. */
export function PlaygroundPage({ onAddToBatch, isAdding }: PlaygroundPageProps) {
  const { data: info } = useQuery(useApi().app.info.queryOptions());
  // Not the draft: the page is not drawn again with every key.
  const { turns, streaming, settings, stop, startOver } = usePlayground(
    useShallow(({ turns, streaming, settings, stop, startOver }) => ({ turns, streaming, settings, stop, startOver })),
  );
  const composer = useRef<LongTextFieldHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const template = toTemplate(turns, settings);

  useEffect(() => composer.current?.focus(), []);
  useFollowEnd(scroller, `${turns.length} ${streaming?.text.length} ${streaming?.reasoning.length}`);
  const begin = () => {
    startOver();
    composer.current?.focus();
  };
  const isBlank = turns.length === 0 && streaming === null;
  const addToBatch = () => template !== null && onAddToBatch(template);
  useShortcuts("Playground", [
    { keys: "Enter", label: "Send" },
    { keys: "shift+Enter", label: "New line" },
    ...(streaming === null ? [] : [{ keys: "Escape", label: "Stop the answer", run: stop }]),
    ...(isBlank ? [] : [{ keys: "n", label: "New conversation", run: begin }]),
    ...(template === null ? [] : [{ keys: "b", label: "Add to a batch", run: addToBatch }]),
    { keys: "/", label: "Write a message", run: () => composer.current?.focus() },
  ]);

  return (
    <div className={classes.root}>
      <header className={classes.head}>
        <Title>Playground</Title>
        <div className={classes.actions}>
          {turns.some(({ role }) => role === "assistant") || streaming !== null ? <AnswerFormChoice /> : null}
          <Button
            leftSection={<IconStack2 size={16} />}
            disabled={template === null}
            loading={isAdding}
            onClick={addToBatch}
          >
            Add to a batch
          </Button>
          <Button leftSection={<IconPlus size={16} />} disabled={isBlank} onClick={begin}>
            New conversation
          </Button>
        </div>
      </header>
      <div className={classes.columns}>
        <div className={classes.conversation}>
          <div ref={scroller} className={classes.turns} role="log" aria-label="Conversation" {...scrollable}>
            {isBlank ? (
              <EmptyState icon={<IconMessage2 size={32} stroke={1.4} />} title="Ask a model anything">
                Try a prompt on one question before it goes to thousands.
                {info?.isMock === true ? " Answers on this computer are made up." : ""}
              </EmptyState>
            ) : null}
            {turns.map((turn) => (
              <Boundary key={turn.id} title="This part could not be shown">
                <TurnCard turn={turn} canAct={streaming === null} />
              </Boundary>
            ))}
            {streaming === null ? null : <TurnCard turn={streaming} canAct={false} isStreaming />}
          </div>
          <Composer composer={composer} canAsk={toRequest(turns, settings) !== null} />
        </div>
        <Parameters />
      </div>
    </div>
  );
}

interface ComposerProps {
  readonly composer: RefObject<LongTextFieldHandle | null>;
  /** Whether a model and parameters are chosen that can be asked. */
  readonly canAsk: boolean;
}

/** Where the next message is written. */
function Composer({ composer, canAsk }: ComposerProps) {
  const rpc = useRpc();
  const { draft, write, send, stop } = usePlayground(
    useShallow(({ draft, write, send, stop }) => ({ draft, write, send, stop })),
  );
  const isStored = usePlayground((state) => state.isStored);
  const isStreaming = usePlayground(({ streaming }) => streaming !== null);
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send(rpc);
      }}
    >
      <LongTextField
        handle={composer}
        className={classes.input}
        label="Message"
        placeholder="Write a message"
        note={isStored ? null : "Too long to store: a reload clears it."}
        minRows={2}
        maxRows={12}
        value={draft}
        onChange={write}
        onKey={({ key, shiftKey, isComposing }) => {
          if (key === "Escape" && isStreaming) stop();
          if (key !== "Enter" || shiftKey || isComposing) return false;
          send(rpc);
          return true;
        }}
      />
      {isStreaming ? (
        <Button leftSection={<IconPlayerStop size={16} />} onClick={stop}>
          Stop
        </Button>
      ) : (
        <Button
          type="submit"
          variant="filled"
          leftSection={<IconSend2 size={16} />}
          disabled={isBlank(draft) || !canAsk}
        >
          Send
        </Button>
      )}
    </form>
  );
}

/** How near to the end counts as being there, in CSS pixels. */
const nearEnd = 80;

/** Keeps the end in view as it grows, unless the reader has scrolled away from it. */
function useFollowEnd(scroller: RefObject<HTMLDivElement | null>, grown: string): void {
  const follows = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const note = () => {
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    };
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer text is the reason to scroll.
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }, [scroller, grown]);
}
