import { quote, ServiceError } from "#main/base";
import type { Message, MessagesRequest, Turn } from "#main/requests";

/** The most that is kept; the oldest conversations give way. */
interface Limit {
  readonly conversations: number;
  /** Of all of them as JSON. */
  readonly characters: number;
}
const limitOfScope: Limit = { conversations: 1_000, characters: 64_000_000 };
const limitOfAll: Limit = { conversations: 10_000, characters: 256_000_000 };

/** Fields that a conversation keeps from its first request. */
const keptFields = ["system", "tools"] as const;

type Kept = Pick<MessagesRequest, (typeof keptFields)[number]>;

interface Conversation {
  readonly scope: string;
  state: "open" | "in_flight" | "continued";
  kept: Kept;
  /** With the last reply. */
  messages: readonly Turn[];
  /** How many characters of JSON it has. */
  size: number;
}

/** Once a conversation has a newer reply, its older ids are known and have no content. */
const goneOn: Omit<Conversation, "scope"> = { state: "continued", kept: {}, messages: [], size: 0 };

type Reply = Pick<Message, "id" | "content">;

/** A request with its whole conversation. */
export interface OpenThread {
  /** Whether the client wants the conversation kept. */
  readonly isKept: boolean;
  readonly request: MessagesRequest;
  /** Keeps the conversation under the id of the reply. */
  keep(reply: Reply): void;
  /** Without a reply, the conversation may be continued from the same place again. */
  release(): void;
}

/** The conversations of a scope that Anthropic's clients have kept here (`thread`), in memory. */
export interface Threads {
  /** Adds what a request leaves to its thread. Throws a ServiceError where that thread can't go on. */
  open(request: MessagesRequest): OpenThread;
}

/** The conversations of all scopes, which have a limit together. */
export interface ThreadsByScope {
  of(scope: string): Threads;
  clear(scope: string): void;
}

export function createThreads(): ThreadsByScope {
  /** By the id of the last reply, the oldest first. */
  const conversations = new Map<string, Conversation>();

  function drop(limit: Limit, counts: (conversation: Conversation) => boolean): void {
    const counted = [...conversations].filter(([, conversation]) => counts(conversation));
    let total = counted.reduce((sum, [, { size }]) => sum + size, 0);
    for (const [at, [oldest, { size }]] of counted.entries()) {
      if (counted.length - at <= limit.conversations && total <= limit.characters) return;
      conversations.delete(oldest);
      total -= size;
    }
  }

  return {
    of: (scope) =>
      createScopeThreads(scope, conversations, () => {
        drop(limitOfScope, (each) => each.scope === scope);
        drop(limitOfAll, () => true);
      }),
    clear: (scope) => drop({ conversations: 0, characters: 0 }, (each) => each.scope === scope),
  };
}

function createScopeThreads(scope: string, conversations: Map<string, Conversation>, keepLimits: () => void): Threads {
  function store(id: string, { kept, messages }: Pick<Conversation, "kept" | "messages">): void {
    const size = JSON.stringify([kept, messages]).length;
    conversations.set(id, { scope, state: "open", kept, messages, size });
    keepLimits();
  }

  function findOpen(id: string): Conversation {
    const known = conversations.get(id);
    const found = known?.scope === scope ? known : undefined;
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
      // Released twice, it would open what a later request holds.
      let isHeld = true;
      const whole = { ...request, ...before.kept, messages: [...before.messages, ...request.messages] };
      return {
        isKept: true,
        request: whole,
        keep: keepAfter(whole, before),
        release() {
          if (isHeld && before.state === "in_flight") before.state = "open";
          isHeld = false;
        },
      };
    },
  };

  function keepAfter({ system, tools, messages }: MessagesRequest, before: Conversation | null) {
    const kept = { ...(system !== undefined && { system }), ...(tools !== undefined && { tools }) };
    return (reply: Reply) => {
      if (before !== null) Object.assign(before, goneOn);
      store(reply.id, { kept, messages: [...messages, toTurn(reply)] });
    };
  }
}

/** A reply as a later request has it. Requests have no pictures of an assistant. */
function toTurn({ content }: Reply): Turn {
  return { role: "assistant", content: content.filter((block) => block.type !== "image") };
}
