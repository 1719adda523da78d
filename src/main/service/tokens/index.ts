export { countTokens, countTokensUpTo, prepareToCount } from "./count-tokens.ts";
