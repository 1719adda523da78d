import { expect, test, vi } from "vitest";
import type { PlaygroundEvent } from "#contract";

test("a reload keeps an answer that is being written, as one that was stopped, and one that has just ended as whole", async () => {
  const stored = new Map<string, string>();
  const localStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  };
  vi.stubGlobal("localStorage", localStorage);
  const { usePlayground } = await import("./playground-store.ts");
  const turns = () => JSON.parse(stored.get("sheaf.playground") ?? "{}").state.turns;
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  async function* answer(): AsyncGenerator<PlaygroundEvent, void> {
    yield { type: "delta", text: "Because of", reasoning: "" };
    await end;
    yield { type: "done", finish: "stop", promptTokens: 5, completionTokens: 2, milliseconds: 1 };
    // The stream's own end comes later, or never.
    await new Promise(() => undefined);
  }
  const rpc = { playground: { ask: async () => answer() } };

  usePlayground.getState().set({ model: "gpt-4o-mini" });
  usePlayground.getState().write("Why is the sky blue?");
  usePlayground.getState().send(rpc);

  await expect.poll(() => turns()[1]).toMatchObject({ text: "Because of", isStopped: true });
  finish();
  await expect.poll(() => turns()[1]).toMatchObject({ finish: "stop", completionTokens: 2, isStopped: false });
});
