import { notificationsStore } from "@mantine/notifications";
import { expect, test } from "vitest";
import { showFailure, showOffer } from "./messages.tsx";

test("a failure stays until it is closed, an offer for ten seconds", () => {
  showFailure("The batch was not deleted", "It still runs.");
  showOffer({ title: "“Reviews” is deleted", run: () => {} });
  expect(notificationsStore.getState().notifications).toMatchObject([
    { title: "The batch was not deleted", autoClose: false },
    { autoClose: 10_000 },
  ]);
});
