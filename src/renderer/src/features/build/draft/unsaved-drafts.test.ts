import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { guardUnsaved } from "./unsaved-drafts.ts";

function makeSession(name: string) {
  const state = createStore<{ status: string }>()(() => ({ status: "saved" }));
  const content = createStore<{ name: string }>()(() => ({ name }));
  const session = { autosave: { state }, store: { content } };
  return { session, state, content };
}

test("a page does not go without a question while a draft is not saved, and the app is told which one", () => {
  const page = new EventTarget();
  const told: unknown[] = [];
  const [first, second] = [makeSession("Reviews"), makeSession("Tickets")];
  const sessions = [first.session, second.session];
  const guard = guardUnsaved(
    page,
    () => sessions,
    (drafts) => told.push(drafts),
  );
  sessions.forEach(guard.follow);
  const mayGo = () => page.dispatchEvent(new Event("beforeunload", { cancelable: true }));

  first.state.setState({ status: "saving" });
  expect([mayGo(), told]).toEqual([true, []]);
  first.state.setState({ status: "conflict" });
  second.state.setState({ status: "failed" });
  first.content.setState({ name: "Reviews 2" });
  expect(mayGo()).toBe(false);
  expect(told.at(-1)).toEqual([
    { name: "Reviews 2", reason: "conflict" },
    { name: "Tickets", reason: "failed" },
  ]);
  const before = told.length;
  guard.update();
  expect(told).toHaveLength(before);

  first.state.setState({ status: "saved" });
  sessions.pop();
  guard.update();
  expect(told.at(-1)).toEqual([]);
  expect(mayGo()).toBe(true);
});
