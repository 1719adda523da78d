export { createJobThread } from "./job-thread.ts";
