export {
  asksForKey,
  ConnectionError,
  describeErrorStatus,
  describeMissing,
  describeNetworkError,
  type MissingKey,
} from "./adapters/connection-error.ts";
export { listModels } from "./adapters/open-adapter.ts";
export { openDirect } from "./calls/direct-engine.ts";
export { createJudgeEngines } from "./calls/judge-engines.ts";
export { hasMcp, missingKeyOf, requestRulesOf, staysAt } from "./connection-settings.ts";
export {
  ConnectionFileError,
  ConnectionNameError,
  type ConnectionStore,
  createConnectionStore,
} from "./connection-store.ts";
export { createJobPlanner, type JobPlanner } from "./driver/plan-job.ts";
export { findLocalModels, type ModelPorts, usualModelPorts } from "./find-local-models.ts";
export { findUnlisted } from "./find-unlisted.ts";
export { readMcpStatus, setMcpEnabled, verifyWithConnection } from "./mcp-endpoint.ts";
export { openConnections } from "./open-connections.ts";
export { presets } from "./presets.ts";
export { addCosts, estimateCost, estimateLine, type JobCost, noCost, sumCosts } from "./pricing/estimate-cost.ts";
export { openLinePrice } from "./pricing/line-price.ts";
export { findPrices, pricesDate } from "./pricing/model-price.ts";
export { openPrices } from "./pricing/open-prices.ts";
export { testConnection } from "./test-connection.ts";
