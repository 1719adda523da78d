import type { AnswerFormat, BuildInput, Draft, MessageRole, RequestTemplate, Rows, SourceLayout } from "#contract";

/** One message template. The key stays with it while it is moved, so that focus and undo find it again. */
export interface DraftMessage {
  readonly key: string;
  readonly role: MessageRole;
  readonly content: string;
  /** The column that has the images which go with the text. */
  readonly imageColumn?: string | undefined;
}

/** All that a user edits in Build, and all that undo gives back. */
export interface DraftContent {
  readonly name: string;
  readonly sourceId: string | null;
  /** How the user chose to read the source; null as long as what was guessed stands. */
  readonly layout: SourceLayout | null;
  readonly messages: readonly DraftMessage[];
  /** Where the requests are answered; null for this computer. */
  readonly connectionId: string | null;
  readonly model: string;
  /** Models that are asked the same, each in a batch of its own. */
  readonly otherModels: readonly string[];
  readonly temperature: number | null;
  readonly maxCompletionTokens: number | null;
  /** Text where it is null. */
  readonly answerFormat: AnswerFormat | null;
  /** Parameters without a field of their own, as the text of a JSON object. */
  readonly further: string;
  readonly customId: string;
  readonly rows: Rows;
}

/** Hands out keys for messages; each store has its own. */
export function createMessageKeys(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `message-${last}`;
  };
}

/** A stored draft, ready to be edited. A draft without messages is given one for the user's words. */
export function readDraft(draft: Draft, nextKey: () => string): DraftContent {
  const { messages, ...parameters } = draft.template;
  const atLeastOne = messages.length > 0 ? messages : [{ role: "user" as const, content: "" }];
  return {
    name: draft.name,
    sourceId: draft.sourceId,
    layout: null,
    ...parameters,
    answerFormat: parameters.answerFormat ?? null,
    further: parameters.further ?? "",
    otherModels: parameters.otherModels ?? [],
    rows: draft.rows,
    messages: atLeastOne.map((message) => ({ key: nextKey(), ...message })),
  };
}

/** What requests are made from, next to the source. */
export type BuildContent = Omit<DraftContent, "name" | "sourceId" | "layout">;
type TemplateContent = Omit<BuildContent, "rows">;

/** What is on screen, as the procedures of `build` take it. */
export function toBuildInput(sourceId: string, content: BuildContent): BuildInput {
  return { sourceId, template: toRequestTemplate(content), rows: content.rows };
}

/** The part of the content that is the same for all requests. */
export function toRequestTemplate(content: TemplateContent): RequestTemplate {
  return {
    messages: content.messages.map(({ key, ...message }) => message),
    connectionId: content.connectionId,
    model: content.model,
    ...(content.otherModels.length === 0 ? {} : { otherModels: [...content.otherModels] }),
    temperature: content.temperature,
    maxCompletionTokens: content.maxCompletionTokens,
    ...(content.answerFormat === null ? {} : { answerFormat: content.answerFormat }),
    ...(content.further.trim() === "" ? {} : { further: content.further }),
    customId: content.customId,
  };
}

/** The content with one more message at its end: a system message first of all, then user and assistant in turn. */
export function withMessage(messages: readonly DraftMessage[], message: DraftMessage): readonly DraftMessage[] {
  return message.role === "system" ? [message, ...messages] : [...messages, message];
}

/** The role that a further message most likely has. */
export function nextRole(messages: readonly DraftMessage[]): MessageRole {
  return messages.at(-1)?.role === "user" ? "assistant" : "user";
}

/** The messages with one of them moved down by `by` (or up, below 0). Unchanged at either end. */
export function movedMessage(messages: readonly DraftMessage[], key: string, by: number): readonly DraftMessage[] {
  const from = messages.findIndex((message) => message.key === key);
  const to = from + by;
  const moved = messages[from];
  if (moved === undefined || to < 0 || to >= messages.length) return messages;
  return messages.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** True as long as nothing has been put into a draft: a further new one would be just the same. */
export function isBlank({ name, sourceId, messages }: DraftContent): boolean {
  return name.trim() === "" && sourceId === null && messages.every(({ content }) => content.trim() === "");
}
