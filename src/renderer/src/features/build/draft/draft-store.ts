import { temporal } from "zundo";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Draft, MessageRole } from "#contract";
import {
  createKeys,
  type DraftContent,
  type DraftMessage,
  movedMessage,
  nextVersionName,
  type Prompt,
  type PromptVersion,
  readDraft,
  selectedVersion,
  withMessage,
} from "./draft-content.ts";

/** Typing with pauses shorter than this many milliseconds is undone in one step. */
const typingPause = 600;
/** Fields that are typed into: other changes are a step of their own. */
const typedFields = new Set<string>(["name", "customId", "rows"] satisfies (keyof DraftContent)[]);
const typedPromptFields = new Set<string>([
  "name",
  "temperature",
  "maxCompletionTokens",
  "further",
  "answerFormat",
] satisfies (keyof PromptVersion)[]);
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
  /** Changes the version that is looked at; so does all that follows. */
  editPrompt(change: Partial<Prompt>): void;
  editMessage(key: string, change: Partial<Omit<DraftMessage, "key">>): void;
  /** Adds an empty message and answers its key. */
  addMessage(role: MessageRole): string;
  removeMessage(key: string): void;
  moveMessage(key: string, by: number): void;
  /** Replaces all messages in the same step as other fields. */
  replacePrompt(
    prompt: Partial<Omit<Prompt, "messages">> & { readonly messages: readonly Omit<DraftMessage, "key">[] },
    change: Partial<DraftContent>,
  ): void;
  /** Looks at another version. No step of the history: undo goes to the version that it changes. */
  selectVersion(key: string): void;
  /** Adds a copy of the version that is looked at behind it, to look at that one. */
  addVersion(): void;
  renameVersion(name: string): void;
  /** Not the last one. */
  removeVersion(): void;
  /** Shows a draft as it was stored elsewhere, in one step of the history. */
  load(draft: Draft): void;
  undo(): void;
  redo(): void;
}

/** Creates the store of one draft. `now` is a clock in milliseconds. */
export function createDraftStore(draft: Draft, now: () => number = Date.now): DraftStore {
  const nextKey = createKeys();
  let typing: { field: string; at: number } | null = null;

  const store = createStore<DraftContent>()(
    temporal(() => readDraft(draft, nextKey), {
      limit: historyLimit,
      equality: (past, current) => past === current,
      handleSet: (record) => (past, _replace, current) => {
        if (typeof past === "function") return;
        const field = findTypedField({ ...current, ...past }, current);
        const isSameTyping = field !== null && typing?.field === field && now() - typing.at < typingPause;
        typing = field === null ? null : { field, at: now() };
        if (!isSameTyping) record(past);
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
  const changedVersions = (change: Partial<PromptVersion>) => {
    const { versions, selected } = store.getState();
    return versions.map((version) => (version.key === selected ? { ...version, ...change } : version));
  };
  const editVersion = (change: Partial<PromptVersion>) => edit({ versions: changedVersions(change) });
  const editMessages = (change: (messages: readonly DraftMessage[]) => readonly DraftMessage[]) => {
    const { messages } = selectedVersion(store.getState());
    const changed = change(messages);
    if (changed !== messages) editVersion({ messages: changed });
  };
  const withKeys = (messages: readonly Omit<DraftMessage, "key">[]) =>
    messages.map((message) => ({ ...message, key: nextKey() }));
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
    editPrompt: editVersion,
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
    replacePrompt: ({ messages, ...prompt }, change) =>
      edit({ ...change, versions: changedVersions({ ...prompt, messages: withKeys(messages) }) }),
    selectVersion: (key) => unrecorded(() => edit({ selected: key })),
    addVersion() {
      const { versions, selected } = store.getState();
      const copied = selectedVersion({ versions, selected });
      const messages = withKeys(copied.messages);
      const added = { ...copied, key: nextKey(), name: nextVersionName(versions), messages };
      edit({ versions: versions.toSpliced(versions.indexOf(copied) + 1, 0, added), selected: added.key });
    },
    renameVersion: (name) => editVersion({ name }),
    removeVersion() {
      const { versions, selected } = store.getState();
      const at = versions.findIndex(({ key }) => key === selected);
      const left = versions.toSpliced(at, 1);
      const next = left[Math.min(at, left.length - 1)];
      if (next !== undefined) edit({ versions: left, selected: next.key });
    },
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
  const field = findOnlyChange(past, current);
  if (field === "versions") return findTypedPart(past.versions, current.versions);
  return field !== null && typedFields.has(field) ? field : null;
}

function findTypedPart(past: readonly PromptVersion[], current: readonly PromptVersion[]): string | null {
  const at = findOnlyChange(past, current);
  const [before, version] = [past[Number(at)], current[Number(at)]];
  if (at === null || before === undefined || version === undefined || before.key !== version.key) return null;
  const field = findOnlyChange(before, version);
  if (field === "messages") return findTypedMessage(before.messages, version.messages);
  return field !== null && typedPromptFields.has(field) ? `${version.key} ${field}` : null;
}

function findTypedMessage(past: readonly DraftMessage[], current: readonly DraftMessage[]): string | null {
  const at = findOnlyChange(past, current);
  const [before, message] = [past[Number(at)], current[Number(at)]];
  if (at === null || before === undefined || message === undefined || before.key !== message.key) return null;
  return findOnlyChange(before, message) === "content" ? message.key : null;
}

/** The one member in which two objects or lists differ; null where they differ in none or in several. */
function findOnlyChange(past: object, current: object): string | null {
  const before = new Map(Object.entries(past));
  const changed = Object.entries(current).filter(([name, value]) => before.get(name) !== value);
  const [only] = changed;
  return only === undefined || changed.length > 1 || before.size !== Object.keys(current).length ? null : only[0];
}
