export { type ComposeInstance, composeInstance } from "./compose-instance.ts";
