export { countTokens, countTokensUpTo } from "./count-tokens.ts";
