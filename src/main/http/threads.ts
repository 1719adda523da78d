import { quote, ServiceError } from "#main/base";
import type { Message, MessagesRequest, Turn } from "#main/requests";

/** Most conversations that are kept of each scope; the oldest give way. */
const mostThreads = 1_000;
/** Most characters of them as JSON, all together. */
const mostCharacters = 64_000_000;

/** Fields that a conversation keeps from its first request. */
const keptFields = ["system", "tools"] as const;

type Kept = Pick<MessagesRequest, (typeof keptFields)[number]>;

interface Conversation {
  state: "open" | "in_flight" | "continued";
  /** Empty, as are its messages, once the conversation has gone on under a newer id. */
  kept: Kept;
  /** With the last reply. */
  messages: readonly Turn[];
  /** How many characters of JSON it has. */
  size: number;
}

/** What is left of a conversation under the id of a reply that is no more its last. */
const goneOn: Conversation = { state: "continued", kept: {}, messages: [], size: 0 };

/** A request with its whole conversation. */
export interface OpenThread {
  /** Whether the client wants the conversation kept. */
  readonly isKept: boolean;
  readonly request: MessagesRequest;
  /** Keeps the conversation under the id of the reply. */
  keep(reply: Message): void;
  /** Without a reply, the conversation may be continued from the same place again. */
  release(): void;
}

/** The conversations of a scope that Anthropic's clients have kept here (`thread`), in memory. */
export interface Threads {
  /** Adds what a request leaves to its thread. Throws a ServiceError where that thread can't go on. */
  open(request: MessagesRequest): OpenThread;
}

export function createThreads(): Threads {
  /** By the id of the last reply, the oldest first. */
  const conversations = new Map<string, Conversation>();

  function store(id: string, { kept, messages }: Pick<Conversation, "kept" | "messages">): void {
    conversations.set(id, { state: "open", kept, messages, size: JSON.stringify([kept, messages]).length });
    let total = 0;
    for (const { size } of conversations.values()) total += size;
    for (const [oldest, { size }] of conversations) {
      if (conversations.size <= mostThreads && total <= mostCharacters) return;
      conversations.delete(oldest);
      total -= size;
    }
  }

  function findOpen(id: string): Conversation {
    const found = conversations.get(id);
    const place = "thread.previous_message_id";
    const replay = 'Send the whole conversation with thread {"type": "create"}.';
    if (found === undefined) {
      throw new ServiceError(
        "thread_not_found",
        `No thread has a last reply with the id ${quote(id)}. ${replay}`,
        place,
      );
    }
    if (found.state === "continued") {
      const message = `The thread has already continued from ${quote(id)}. Continue from its last reply, or start again: ${replay}`;
      throw new ServiceError("thread_already_continued", message, place);
    }
    if (found.state === "in_flight") {
      const message = `Another request is still continuing from ${quote(id)}. Wait for its reply and continue from that one.`;
      throw new ServiceError("thread_continue_in_flight", message, place);
    }
    return found;
  }

  return {
    open(asked) {
      const { thread, ...request } = asked;
      if (!thread) return { isKept: false, request, keep: () => undefined, release: () => undefined };
      if (thread.type === "create") {
        return { isKept: true, request, keep: keepAfter(request, null), release: () => undefined };
      }
      for (const field of keptFields) {
        if (request[field] === undefined) continue;
        const message = `${field} comes from the thread. Leave it out, or start again with thread {"type": "create"}.`;
        throw new ServiceError("invalid_value", message, field);
      }
      const before = findOpen(thread.previous_message_id);
      before.state = "in_flight";
      const whole = { ...request, ...before.kept, messages: [...before.messages, ...request.messages] };
      return {
        isKept: true,
        request: whole,
        keep: keepAfter(whole, before),
        release() {
          if (before.state === "in_flight") before.state = "open";
        },
      };
    },
  };

  function keepAfter({ system, tools, messages }: MessagesRequest, before: Conversation | null) {
    const kept = { ...(system !== undefined && { system }), ...(tools !== undefined && { tools }) };
    return (reply: Message) => {
      if (before !== null) Object.assign(before, goneOn);
      store(reply.id, { kept, messages: [...messages, toTurn(reply)] });
    };
  }
}

/** A reply as a later request has it. Requests have no pictures of an assistant. */
function toTurn({ content }: Message): Turn {
  return { role: "assistant", content: content.filter((block) => block.type !== "image") };
}
