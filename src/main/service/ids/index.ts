export { createCountingIds, createRandomIds } from "./ids.ts";
