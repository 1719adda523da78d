export { createFollowing, type Following } from "./follow-numbers.ts";
export { isDerived } from "./is-derived.ts";
export { isNumberInWords } from "./spoken.ts";
