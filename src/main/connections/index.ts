export { type BatchApi, createLocalBatchApi } from "./batch-api.ts";
export type { Connection } from "./connection.ts";
export {
  ConnectionFileError,
  ConnectionNameError,
  type ConnectionStore,
  createConnectionStore,
} from "./connection-store.ts";
export { priceTokens } from "./cost.ts";
export { openConnections } from "./open-connections.ts";
export { type AdapterName, type Preset, presets } from "./presets.ts";
export { testConnection } from "./test-connection.ts";
