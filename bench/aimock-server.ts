/** Runs @copilotkit/aimock in a process of its own, as `sheaf serve` is run: the first line says where it is. */
import { LLMock } from "@copilotkit/aimock";

const mock = new LLMock({ port: 0 });
const url = await mock.start();
console.log(JSON.stringify({ url, apiKey: "none" }));
process.once("SIGTERM", () => {
  mock.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
