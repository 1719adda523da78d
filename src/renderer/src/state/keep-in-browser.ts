import { notifications } from "@mantine/notifications";
import { z } from "zod";
import { createJSONStorage, type StateStorage } from "zustand/middleware";

/**
 * Options of `persist` for a user's choices, which the browser stores from one start to the next. `shape` has a schema for each
 * of them: one that another version wrote otherwise counts as not chosen, and unknown ones are stored on.
 */
export function keepInBrowser<State extends object>(name: string, shape: z.core.$ZodShape) {
  return {
    name,
    version: 1,
    storage: createJSONStorage<State>(() => withoutErrors(localStorage)),
    // The members say themselves whether they can be read.
    migrate: (stored: unknown) => stored as State,
    merge: (stored: unknown, initial: State): State => {
      const members = z.record(z.string(), z.unknown()).catch({}).parse(stored);
      const read = Object.entries(shape).flatMap(([member, schema]) => {
        const { success, data } = z.safeParse(schema, members[member]);
        return success ? [[member, data]] : [];
      });
      return { ...members, ...initial, ...Object.fromEntries(read) };
    },
  };
}

let isFull = false;

/** A choice takes effect even where there is no room to store it: its user is told once. */
function withoutErrors(storage: Storage): StateStorage {
  return {
    getItem: (name) => storage.getItem(name),
    removeItem: (name) => storage.removeItem(name),
    setItem(name, value) {
      try {
        storage.setItem(name, value);
        isFull = false;
      } catch {
        if (!isFull) notifications.show({ id: "storage full", color: "orange", autoClose: false, ...fullWords });
        isFull = true;
      }
    },
  };
}

const fullWords = {
  title: "The browser can’t store your choices",
  message: "They are lost when the page is closed. Long texts fill its storage: clear those in Playground and Verify.",
};
