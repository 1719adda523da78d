import { temporal } from "zundo";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Draft, MessageRole } from "#contract";
import {
  createMessageKeys,
  type DraftContent,
  type DraftMessage,
  movedMessage,
  readDraft,
  withMessage,
} from "./draft-content.ts";

/** Typing that goes on within this many milliseconds is undone in one step. */
const typingPause = 600;
/** Fields that are typed into: other changes are a step of their own. */
const typedFields = [
  "name",
  "customId",
  "temperature",
  "maxCompletionTokens",
  "rows",
  "further",
  "answerFormat",
] as const;
/** The most steps that can be undone. */
const historyLimit = 500;

export interface UndoState {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The draft on screen: what the user has typed and chosen, with one history over all of it. */
export interface DraftStore {
  readonly content: Pick<StoreApi<DraftContent>, "getState" | "getInitialState" | "subscribe">;
  readonly undoState: Pick<StoreApi<UndoState>, "getState" | "getInitialState" | "subscribe">;
  /** Changes fields in one step of the history. */
  edit(change: Partial<DraftContent>): void;
  /** Changes fields without a step of their own: for what the app fills in, not the user. */
  fill(change: Partial<DraftContent>): void;
  editMessage(key: string, change: Partial<Omit<DraftMessage, "key">>): void;
  /** Adds an empty message and answers its key. */
  addMessage(role: MessageRole): string;
  removeMessage(key: string): void;
  moveMessage(key: string, by: number): void;
  /** Replaces all messages in the same step as other fields. */
  replacePrompt(messages: readonly Omit<DraftMessage, "key">[], change: Partial<DraftContent>): void;
  /** Shows a draft as it was stored elsewhere, in one step of the history. */
  load(draft: Draft): void;
  undo(): void;
  redo(): void;
}

/** Creates the store of one draft. `now` is a clock in milliseconds. */
export function createDraftStore(draft: Draft, now: () => number = Date.now): DraftStore {
  const nextKey = createMessageKeys();
  let typing: { field: string; at: number } | null = null;

  const store = createStore<DraftContent>()(
    temporal(() => readDraft(draft, nextKey), {
      limit: historyLimit,
      equality: (past, current) => past === current,
      handleSet: (record) => (past, _replace, current) => {
        if (typeof past === "function") return;
        const field = findTypedField({ ...current, ...past }, current);
        const goesOn = field !== null && typing?.field === field && now() - typing.at < typingPause;
        typing = field === null ? null : { field, at: now() };
        if (!goesOn) record(past);
      },
    }),
  );
  const history = store.temporal;
  const undoState = createStore<UndoState>()(() => ({ canUndo: false, canRedo: false }));
  history.subscribe(({ pastStates, futureStates }) => {
    const state = { canUndo: pastStates.length > 0, canRedo: futureStates.length > 0 };
    const last = undoState.getState();
    if (state.canUndo !== last.canUndo || state.canRedo !== last.canRedo) undoState.setState(state);
  });

  const edit = (change: Partial<DraftContent>) => store.setState(change);
  const editMessages = (change: (messages: readonly DraftMessage[]) => readonly DraftMessage[]) => {
    const { messages } = store.getState();
    const changed = change(messages);
    if (changed !== messages) edit({ messages: changed });
  };
  const unrecorded = (run: () => void) => {
    history.getState().pause();
    run();
    history.getState().resume();
  };

  return {
    content: store,
    undoState,
    edit,
    fill: (change) => unrecorded(() => edit(change)),
    editMessage: (key, change) =>
      editMessages((messages) =>
        messages.map((message) => (message.key === key ? { ...message, ...change } : message)),
      ),
    addMessage(role) {
      const key = nextKey();
      editMessages((messages) => withMessage(messages, { key, role, content: "" }));
      return key;
    },
    removeMessage: (key) => editMessages((messages) => messages.filter((message) => message.key !== key)),
    moveMessage: (key, by) => editMessages((messages) => movedMessage(messages, key, by)),
    replacePrompt: (messages, change) =>
      edit({ ...change, messages: messages.map((message) => ({ key: nextKey(), ...message })) }),
    load: (stored) => edit(readDraft(stored, nextKey)),
    undo() {
      typing = null;
      history.getState().undo();
    },
    redo() {
      typing = null;
      history.getState().redo();
    },
  };
}

/**
 * The one field in which two states differ, when it is one that is typed into, so that the keystrokes of one
 * go can be undone together. Null for everything else: such a change is a step of its own.
 */
function findTypedField(past: DraftContent, current: DraftContent): string | null {
  const fields = Object.keys(current) as (keyof DraftContent)[];
  const changed = fields.filter((field) => past[field] !== current[field]);
  const [field] = changed;
  if (changed.length !== 1 || field === undefined) return null;
  if (field === "messages") return findTypedMessage(past, current);
  return typedFields.find((typed) => typed === field) ?? null;
}

function findTypedMessage(past: DraftContent, current: DraftContent): string | null {
  if (past.messages.length !== current.messages.length) return null;
  const changed = current.messages.filter((message, index) => past.messages[index] !== message);
  const [message] = changed;
  if (changed.length !== 1 || message === undefined) return null;
  const before = past.messages[current.messages.indexOf(message)];
  return before?.key === message.key && before.role === message.role ? `message ${message.key}` : null;
}
