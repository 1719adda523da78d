export { countTokens, countTokensUpTo } from "./count-tokens.ts";
export { prepareToCount } from "./encoder.ts";
export { splitTokens } from "./split-tokens.ts";
