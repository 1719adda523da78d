export { ConnectionError, describeErrorStatus } from "./adapters/connection-error.ts";
export { listModels } from "./adapters/open-adapter.ts";
export { type BatchApi, createLocalBatchApi } from "./batch-api.ts";
export { nameOf } from "./batch-name.ts";
export { hasMcp, modelAt } from "./connection.ts";
export {
  ConnectionFileError,
  ConnectionNameError,
  type ConnectionStore,
  createConnectionStore,
} from "./connection-store.ts";
export { createJobPlanner, type JobPlanner } from "./driver/plan-job.ts";
export { readMcpStatus, setMcpEnabled, verifyElsewhere } from "./mcp-endpoint.ts";
export { openConnections } from "./open-connections.ts";
export { openDirect } from "./open-direct.ts";
export { presets } from "./presets.ts";
export { type BatchCosts, createBatchCosts, createPrices } from "./pricing/batch-costs.ts";
export { estimateCost, priceFactorOf, pricesDate, priceTokens, sumCosts } from "./pricing/cost.ts";
export { type RequestRules, requestRulesOf } from "./request-check.ts";
export { testConnection } from "./test-connection.ts";
