// What a strict TypeScript project writes. It is compiled against the installed package alone.
import { type RulesInput, type Sheaf, startSheaf } from "sheaf";
import { setupSheaf } from "sheaf/jest";
import type { LoggedRequest, SheafOptions } from "sheaf/testing";
import { type SheafScope, startSheafProcess } from "sheaf/testing/process";
import { test } from "sheaf/vitest";

const rules: RulesInput = {
  rules: [
    { match: { last_user_message: { contains: "weather" } }, reply: { tool_calls: [{ name: "get_weather" }] } },
    { reply: { json: { city: "Paris", days: [1, null] } } },
  ],
};
const options: SheafOptions = { rules, dialect: "openai", clock: { speed: 0 } };
await using sheaf: Sheaf = await startSheaf(options);
sheaf.faults.set({ rate_limit_rate: 0.5, targets: ["chat"] });
const requests: LoggedRequest[] = await sheaf.requests({ status: "4xx" });
// @ts-expect-error a rule has no such field
await sheaf.rules.set({ rules: [{ answer: "yes" }] });
await using child = await startSheafProcess({ pace: 5, flags: ["--max-lines", "10"] });
const scope: SheafScope = child.scope();
const inJest: SheafScope = setupSheaf({ seed: 2 });
test("in vitest", async ({ sheaf: own }) => {
  const failures: number = (await own.faults.read()).failure_rate;
  await own.rules.set({ rules: [{ reply: { text: `${failures} ${scope.baseURL} ${inJest.apiKey}` } }] });
});
console.log(requests.map(({ path }): string => path));
