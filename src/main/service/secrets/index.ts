export { createMemorySecretStore } from "./memory-store.ts";
