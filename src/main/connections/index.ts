export { type BatchApi, createLocalBatchApi } from "./batch-api.ts";
export { type BatchCosts, createBatchCosts, createPrices } from "./batch-costs.ts";
export { nameOf } from "./batch-name.ts";
export { hasMcp, modelAt } from "./connection.ts";
export { ConnectionError, describeErrorStatus } from "./connection-error.ts";
export {
  ConnectionFileError,
  ConnectionNameError,
  type ConnectionStore,
  createConnectionStore,
} from "./connection-store.ts";
export { estimateCost, priceFactorOf, pricesDate, priceTokens, sumCosts } from "./cost.ts";
export { readMcpStatus, setMcpEnabled, verifyElsewhere } from "./mcp-endpoint.ts";
export { listModels } from "./open-adapter.ts";
export { openConnections } from "./open-connections.ts";
export { openDirect } from "./open-direct.ts";
export { createJobPlanner, type JobPlanner } from "./plan-job.ts";
export { presets } from "./presets.ts";
export { type RequestRules, requestRulesOf } from "./request-check.ts";
export { testConnection } from "./test-connection.ts";
