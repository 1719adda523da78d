export { countPromptTokens, countTokens, countTokensUpTo, prepareToCount, splitTokens } from "./count-tokens.ts";
