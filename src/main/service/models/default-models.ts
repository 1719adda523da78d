import type { Model } from "./model.ts";

/** The interface document's neutral identifier, as it stands there and without its angle brackets. */
function neutralNames(identifier: string): string[] {
  return [identifier, identifier.replaceAll(/[<>]/g, "")];
}

/** The models of the service (decisions.md, Models), in the order of the interface document. */
export const defaultModels: readonly Model[] = [
  {
    id: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
    ownedBy: "klusterai",
    aliases: neutralNames("<vendor_a>/<Family1>-3.1-8B-Instruct-Turbo"),
    reasoning: false,
  },
  {
    id: "klusterai/Meta-Llama-3.1-405B-Instruct-Turbo",
    ownedBy: "klusterai",
    aliases: neutralNames("<vendor_a>/<Family1>-3.1-405B-Instruct-Turbo"),
    reasoning: false,
  },
  {
    id: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
    ownedBy: "klusterai",
    aliases: neutralNames("<vendor_a>/<Family1>-3.3-70B-Instruct-Turbo"),
    reasoning: false,
  },
  {
    id: "deepseek-ai/DeepSeek-R1",
    ownedBy: "deepseek-ai",
    aliases: neutralNames("<vendor_b>/<Family2>-R1"),
    reasoning: true,
  },
];
