/** Runs @copilotkit/aimock in a process of its own, as `sheaf serve` is run: the first line reports where it is. */
import { LLMock } from "@copilotkit/aimock";

/** About as long as the answers that it is compared with. */
const cannedAnswer =
  "This is a canned answer. It is the same for each question, and it is about as long as the answers of the others are, so that all servers have as much to send. It says nothing of what was asked, and its tokens are estimated.";

const mock = new LLMock({ port: 0 });
mock.onMessage(/(?:)/, { content: cannedAnswer });
const url = await mock.start();
console.log(JSON.stringify({ url, apiKey: "none" }));
// Its own stop waits for the connections that clients keep open.
process.once("SIGTERM", () => process.exit(0));
