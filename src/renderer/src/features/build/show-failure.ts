import { notifications } from "@mantine/notifications";
import { describeError } from "../../bridge/index.ts";

/** Says that something the user asked for did not come about, and why. */
export function showFailure(title: string, error: unknown): void {
  notifications.show({ color: "red", title, message: describeError(error).message, autoClose: 10_000 });
}
