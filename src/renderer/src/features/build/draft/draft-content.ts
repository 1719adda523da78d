import type { AnswerFormat, Draft, MessageRole, RequestTemplate, Rows, SourceLayout } from "#contract";

/** One message template. The key stays with it while it is moved, so that focus and undo find it again. */
export interface DraftMessage {
  readonly key: string;
  readonly role: MessageRole;
  readonly content: string;
  /** The column that has the images which go with the text. */
  readonly imageColumn?: string | undefined;
}

/** What is asked, and how: what versions of a prompt have each for itself. */
export interface Prompt {
  readonly messages: readonly DraftMessage[];
  readonly temperature: number | null;
  readonly maxCompletionTokens: number | null;
  /** Text where it is null. */
  readonly answerFormat: AnswerFormat | null;
  /** Parameters without a field of their own, as the text of a JSON object. */
  readonly further: string;
}

/** A prompt that is compared with others: asked of the same rows, in a batch of its own. */
export interface PromptVersion extends Prompt {
  readonly key: string;
  /** As tabs and batches are called after it. */
  readonly name: string;
}

/** All that a user edits in Build, and all that undo gives back. */
export interface DraftContent {
  readonly name: string;
  readonly sourceId: string | null;
  /** How the user chose to read the source; null as long as the guess is used. */
  readonly layout: SourceLayout | null;
  /** At least one. */
  readonly versions: readonly PromptVersion[];
  /** The key of the version that is looked at. */
  readonly selected: string;
  /** Where the requests are answered; null for this computer. */
  readonly connectionId: string | null;
  readonly model: string;
  /** Models that are asked the same, each in a batch of its own. */
  readonly otherModels: readonly string[];
  readonly customId: string;
  readonly rows: Rows;
  /** Folders of this computer whose pictures may be sent. */
  readonly pictureFolders: readonly string[];
}

/** Hands out keys for messages and versions; each store has its own. */
export function createKeys(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `key-${last}`;
  };
}

type StoredPrompt = Pick<
  RequestTemplate,
  "messages" | "temperature" | "maxCompletionTokens" | "answerFormat" | "further"
>;

/** A stored draft, ready to be edited. A prompt without messages is given one for the user's words. */
export function readDraft({ template, ...draft }: Draft, nextKey: () => string): DraftContent {
  const readVersion = (prompt: StoredPrompt, name: string): PromptVersion => {
    const messages = prompt.messages.length > 0 ? prompt.messages : [{ role: "user" as const, content: "" }];
    return {
      key: nextKey(),
      name,
      messages: messages.map((message) => ({ key: nextKey(), ...message })),
      temperature: prompt.temperature,
      maxCompletionTokens: prompt.maxCompletionTokens,
      answerFormat: prompt.answerFormat ?? null,
      further: prompt.further ?? "",
    };
  };
  const first = readVersion(template, template.version ?? "A");
  const others = (template.otherVersions ?? []).map((other) => readVersion(other, other.version));
  return {
    name: draft.name,
    sourceId: draft.sourceId,
    layout: null,
    versions: [first, ...others],
    selected: first.key,
    connectionId: template.connectionId,
    model: template.model,
    otherModels: template.otherModels ?? [],
    customId: template.customId,
    rows: draft.rows,
    pictureFolders: draft.pictureFolders,
  };
}

/** The version that is looked at. */
export function selectedVersion({ versions, selected }: Pick<DraftContent, "versions" | "selected">): PromptVersion {
  const version = versions.find(({ key }) => key === selected);
  if (version === undefined) throw new Error("The version that is looked at is not there.");
  return version;
}

/** What the requests of a version have in common, as one batch asks them. */
export function toRequestTemplate(
  { connectionId, model, customId }: Pick<DraftContent, "connectionId" | "model" | "customId">,
  version: PromptVersion,
): RequestTemplate {
  return { ...toStoredPrompt(version), connectionId, model, customId };
}

/** The template with all its versions and models. */
export function toWholeTemplate(content: Omit<DraftContent, "selected">): RequestTemplate {
  const { versions, otherModels } = content;
  const [first, ...others] = versions;
  if (first === undefined) throw new Error("A draft has at least one version.");
  return {
    ...toRequestTemplate(content, first),
    ...(otherModels.length === 0 ? {} : { otherModels: [...otherModels] }),
    ...(others.length === 0
      ? {}
      : {
          version: first.name,
          otherVersions: others.map((other) => ({ ...toStoredPrompt(other), version: other.name })),
        }),
  };
}

function toStoredPrompt({ messages, temperature, maxCompletionTokens, answerFormat, further }: Prompt): StoredPrompt {
  return {
    messages: messages.map(({ key, ...message }) => message),
    temperature,
    maxCompletionTokens,
    ...(answerFormat === null ? {} : { answerFormat }),
    ...(further.trim() === "" ? {} : { further }),
  };
}

/** What is made requests of: the rows that are taken, and what may be read for them. */
export function toBuildInput(
  { rows, pictureFolders }: Pick<DraftContent, "rows" | "pictureFolders">,
  sourceId: string,
  template: RequestTemplate,
) {
  return { sourceId, template, rows, pictureFolders: [...pictureFolders] };
}

/** A name that no version has yet: a letter as long as there is one. */
export function nextVersionName(versions: readonly Pick<PromptVersion, "name">[]): string {
  const isFree = (name: string) => versions.every((version) => version.name !== name);
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const numbered = Array.from({ length: versions.length + 1 }, (_, at) => `Version ${at + 1}`);
  return [...letters, ...numbered].find(isFree) ?? "";
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
export function isBlank({ name, sourceId, versions }: DraftContent): boolean {
  const messages = versions.flatMap((version) => version.messages);
  return name.trim() === "" && sourceId === null && messages.every(({ content }) => content.trim() === "");
}
