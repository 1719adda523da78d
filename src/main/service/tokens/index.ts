export { countPromptTokens, countTokens, countTokensUpTo, splitTokens } from "./count-tokens.ts";
