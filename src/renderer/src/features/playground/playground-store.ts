import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { PlaygroundEvent, PlaygroundRequest } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { createLazyStorage } from "../../state/lazy-storage.ts";
import {
  type Conversation,
  conversationSchema,
  createTurn,
  isBlank,
  type Settings,
  type Turn,
  toRequest,
} from "./conversation.ts";

/** What answers: the page's RPC, or a test's. */
interface PlaygroundRpc {
  readonly playground: {
    ask(
      request: PlaygroundRequest,
      options: { readonly signal: AbortSignal },
    ): PromiseLike<AsyncIterable<PlaygroundEvent>>;
  };
}

interface PlaygroundState extends Conversation {
  /** The answer that is coming; kept with the turns once it has ended. */
  readonly streaming: Turn | null;
  /** Whether the conversation survives a reload: a very long one has no room. */
  readonly isStored: boolean;
  set(settings: Partial<Settings>): void;
  write(draft: string): void;
  /** Asks what was written. */
  send(rpc: PlaygroundRpc): void;
  stop(): void;
  /** Asks again from the question before the turn. */
  retry(id: string, rpc: PlaygroundRpc): void;
  /** Changes a turn. A changed question is asked again, and all turns after it are removed. */
  edit(id: string, text: string, rpc: PlaygroundRpc): void;
  startOver(): void;
}

/** How long after the last key, or word of an answer, the conversation is stored, in milliseconds. */
const storeDelay = 300;

const lazy = createLazyStorage<Conversation>({
  storage: localStorage,
  delay: storeDelay,
  onStored: (isStored) => {
    if (isStored !== usePlayground.getState().isStored) usePlayground.setState({ isStored });
  },
});

/** The one conversation of the page. A reload keeps it, a half-written answer as one that was stopped; another page keeps it coming. */
export const usePlayground = create<PlaygroundState>()(
  persist(
    (set, get) => {
      let current: AbortController | null = null;

      function stop(): void {
        current?.abort();
      }

      async function ask(turns: readonly Turn[], rpc: PlaygroundRpc): Promise<void> {
        const { settings } = get();
        const request = toRequest(turns, settings);
        if (request === null) return;
        stop();
        const mine = new AbortController();
        current = mine;
        let answer: Turn = { ...createTurn("assistant", ""), model: settings.model };
        const change = (part: Partial<Turn>) => {
          answer = { ...answer, ...part };
          if (current === mine) set({ streaming: answer });
        };
        set({ turns: [...turns], streaming: answer });
        try {
          for await (const event of await rpc.playground.ask(request, { signal: mine.signal })) {
            if (event.type === "delta") {
              change({ text: answer.text + event.text, reasoning: answer.reasoning + event.reasoning });
            } else if (event.type === "done") {
              const { finish, promptTokens, completionTokens, milliseconds } = event;
              change({ finish, promptTokens, completionTokens, milliseconds });
            } else {
              change({ failure: { message: event.message, details: event.details } });
            }
          }
        } catch (error) {
          if (mine.signal.aborted) change({ isStopped: true });
          else {
            const { message, details = "" } = describeError(error);
            change({ failure: { message, details } });
          }
        }
        // Where another question took its place, this answer belongs to none.
        if (current !== mine) return;
        current = null;
        set({ turns: [...get().turns, answer], streaming: null });
      }

      return {
        ...conversationSchema.parse({}),
        streaming: null,
        isStored: true,
        set: (settings) => set((state) => ({ settings: { ...state.settings, ...settings } })),
        write: (draft) => set({ draft }),
        send(rpc) {
          const { draft, turns, streaming } = get();
          if (isBlank(draft) || streaming !== null) return;
          const next = [...turns, createTurn("user", draft.trim())];
          if (toRequest(next, get().settings) === null) return;
          set({ draft: "" });
          void ask(next, rpc);
        },
        stop,
        retry(id, rpc) {
          const { turns } = get();
          const at = turns.findIndex((turn) => turn.id === id);
          const last = turns.slice(0, at + 1).findLastIndex(({ role }) => role === "user");
          if (last !== -1) void ask(turns.slice(0, last + 1), rpc);
        },
        edit(id, text, rpc) {
          const { turns } = get();
          const at = turns.findIndex((turn) => turn.id === id);
          const turn = turns[at];
          if (turn === undefined) return;
          const edited = { ...turn, text };
          if (turn.role === "user") void ask([...turns.slice(0, at), edited], rpc);
          else set({ turns: turns.toSpliced(at, 1, edited) });
        },
        startOver() {
          stop();
          current = null;
          set({ turns: [], streaming: null });
        },
      };
    },
    {
      name: "sheaf.playground",
      version: 1,
      storage: lazy.storage,
      partialize: ({ turns, streaming, settings, draft }): Conversation => ({
        turns: streaming === null ? turns : [...turns, { ...streaming, isStopped: streaming.finish === null }],
        settings,
        draft,
      }),
      merge: (stored, initial) => {
        const { success, data } = conversationSchema.safeParse(stored ?? {});
        return success ? { ...initial, ...data } : initial;
      },
    },
  ),
);
