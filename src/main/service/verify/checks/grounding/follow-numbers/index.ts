export { createFollowing, type Following } from "./follow-numbers.ts";
