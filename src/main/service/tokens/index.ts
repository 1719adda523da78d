export { countTokens, countTokensUpTo } from "./count-tokens.ts";
export { splitTokens } from "./split-tokens.ts";
