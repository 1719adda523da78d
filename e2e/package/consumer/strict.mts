// What a strict TypeScript project writes. It is compiled against the installed package alone.
import { type RulesInput, type Sheaf, startSheaf } from "sheaf";
import type { LoggedRequest, SheafOptions } from "sheaf/testing";

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
sheaf.rules.set({ rules: [{ answer: "yes" }] });
export const paths: string[] = requests.map(({ path }) => path);
