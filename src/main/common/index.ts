export { readJsonFile, writeJsonFile } from "./json-file.ts";
export { createQueue } from "./one-at-a-time.ts";
