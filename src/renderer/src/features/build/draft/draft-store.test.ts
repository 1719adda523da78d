import { beforeEach, describe, expect, test } from "vitest";
import { allRows, type Draft } from "#contract";
import { isBlank, toRequestTemplate } from "./draft-content.ts";
import { createDraftStore, type DraftStore } from "./draft-store.ts";

const draft: Draft = {
  id: "draft_1",
  name: "Reviews",
  sourceId: null,
  template: {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "" },
    ],
    connectionId: null,
    model: "m",
    temperature: null,
    maxCompletionTokens: null,
    customId: "",
  },
  rows: allRows,
  revision: 0,
  updatedAt: 0,
};

let time = 0;
let store: DraftStore;
const content = () => store.content.getState();
const texts = () => content().messages.map((message) => message.content);
const keyAt = (index: number) => content().messages[index]?.key ?? "";

function type(key: string, text: string, millisecondsApart = 80): void {
  for (let end = 1; end <= text.length; end += 1) {
    time += millisecondsApart;
    store.editMessage(key, { content: text.slice(0, end) });
  }
}

beforeEach(() => {
  time = 1000;
  store = createDraftStore(draft, () => time);
});

describe("undo", () => {
  test("takes back what was typed in one go, and redo brings it again", () => {
    type(keyAt(1), "Review: {{ review }}");
    store.undo();
    expect(texts()).toEqual(["Be brief.", ""]);
    expect(store.undoState.getState()).toEqual({ canUndo: false, canRedo: true });
    store.redo();
    expect(texts()).toEqual(["Be brief.", "Review: {{ review }}"]);
  });

  test("stops at a pause in typing", () => {
    type(keyAt(1), "Hello");
    time += 600;
    store.editMessage(keyAt(1), { content: "Hello there" });
    store.undo();
    expect(texts()[1]).toBe("Hello");
  });

  test("stops where typing went on in another field", () => {
    type(keyAt(1), "One");
    type(keyAt(0), "Two");
    store.undo();
    expect(texts()).toEqual(["Be brief.", "One"]);
  });

  test("treats every choice as a step of its own, however fast they follow", () => {
    store.edit({ model: "a" });
    store.edit({ model: "b" });
    store.editMessage(keyAt(1), { role: "assistant" });
    store.undo();
    expect(content().messages[1]?.role).toBe("user");
    store.undo();
    expect(content().model).toBe("a");
  });

  test("covers the source, the prompt and the parameters in one history", () => {
    store.edit({ sourceId: "source_1", customId: "{{ id }}" });
    type(keyAt(1), "Q");
    store.edit({ temperature: 0.2 });
    store.undo();
    store.undo();
    store.undo();
    expect(content()).toMatchObject({ sourceId: null, customId: "", temperature: null });
    expect(texts()[1]).toBe("");
    store.redo();
    expect(content()).toMatchObject({ sourceId: "source_1", customId: "{{ id }}" });
  });

  test("brings a removed message back where it was, with its key", () => {
    const key = keyAt(0);
    store.removeMessage(key);
    expect(texts()).toEqual([""]);
    store.undo();
    expect(texts()).toEqual(["Be brief.", ""]);
    expect(keyAt(0)).toBe(key);
  });

  test("forgets what could be redone as soon as something is typed", () => {
    type(keyAt(1), "abc");
    store.undo();
    type(keyAt(1), "x");
    expect(store.undoState.getState()).toEqual({ canUndo: true, canRedo: false });
    store.undo();
    expect(texts()[1]).toBe("");
  });

  test("leaves alone what the app filled in", () => {
    store.fill({ model: "default" });
    expect(store.undoState.getState().canUndo).toBe(false);
    expect(content().model).toBe("default");
  });

  test("does nothing where there is nothing to undo", () => {
    const before = content();
    store.undo();
    store.redo();
    expect(content()).toBe(before);
  });
});

describe("messages", () => {
  test("a system message goes first, others go last", () => {
    store.addMessage("assistant");
    store.addMessage("system");
    expect(content().messages.map((message) => message.role)).toEqual(["system", "system", "user", "assistant"]);
  });

  test("move up and down, and stay at the ends", () => {
    store.moveMessage(keyAt(1), -1);
    expect(texts()).toEqual(["", "Be brief."]);
    const before = content();
    store.moveMessage(keyAt(0), -1);
    store.moveMessage(keyAt(1), 1);
    expect(content()).toBe(before);
  });

  test("a draft without messages starts with one for the user", () => {
    const empty = createDraftStore({ ...draft, template: { ...draft.template, messages: [] } });
    expect(toRequestTemplate(empty.content.getState()).messages).toEqual([{ role: "user", content: "" }]);
  });
});

test("the template is what was loaded as long as nothing is changed", () => {
  expect(toRequestTemplate(content())).toEqual(draft.template);
});

test("a draft is blank until something is put into it", () => {
  const blank = createDraftStore({ ...draft, name: "", template: { ...draft.template, messages: [] } });
  expect(isBlank(blank.content.getState())).toBe(true);
  blank.edit({ sourceId: "source_1" });
  expect(isBlank(blank.content.getState())).toBe(false);
  expect(isBlank(content())).toBe(false);
});

test("a draft that was stored elsewhere is shown in one step, and undo brings back what was here", () => {
  type(keyAt(1), "mine");
  store.load({ ...draft, name: "Theirs" });
  expect(content().name).toBe("Theirs");
  expect(texts()[1]).toBe("");
  store.undo();
  expect(content().name).toBe("Reviews");
  expect(texts()[1]).toBe("mine");
});
