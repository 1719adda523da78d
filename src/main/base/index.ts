export { assertNever } from "./assert-never.ts";
export { type AdjustableClock, createAdjustableClock, createManualClock } from "./clock/adjustable-clock.ts";
export { createIdleLimit, type IdleLimit, limitWaits } from "./clock/idle-limit.ts";
export { createSystemMachine, nextTurn } from "./clock/machine.ts";
export { createSystemClock } from "./clock/system-clock.ts";
export type {
  BatchRun,
  Connections,
  CreateChoice,
  LineTarget,
  OtherRemoteBatches,
  RemoteDriver,
  RemoteJob,
  RemoteRun,
  RequestIdentity,
} from "./connections.ts";
export { isServiceErrorCode, ServiceError, type ServiceErrorCode } from "./errors.ts";
export { hideSecret } from "./hide-secret.ts";
export { createRandomIds } from "./ids.ts";
export { isLoopback } from "./is-loopback.ts";
export {
  asCount,
  asIndex,
  asNumber,
  asObject,
  asText,
  asTextOrJson,
  isObject,
  type JsonObject,
  listObjects,
  listOf,
} from "./json-values.ts";
export { limitSteps, TooManySteps } from "./limit-steps.ts";
export { createLogger, createSilentLogger } from "./logger.ts";
export { createMemorySecretStore } from "./memory-secret-store.ts";
export { type CleanUp, createCleanUp, openParts } from "./open-parts.ts";
export { CaFileError } from "./outgoing/certificates.ts";
export { createOutgoing, type Outgoing, type Route } from "./outgoing/outgoing.ts";
export { findIgnoredProxy, ProxyError } from "./outgoing/proxies.ts";
export {
  type AnsweringRule,
  type Clock,
  defaultScope,
  type EndpointCall,
  type EndpointReply,
  type Engine,
  type EngineAnswer,
  type EngineCall,
  type EngineError,
  type EngineReply,
  type EngineStream,
  type IdKind,
  type Ids,
  type Logger,
  type Machine,
  type PassedReply,
  type PassingOn,
  type SecretStore,
  type TrackedWork,
  type Vendor,
  vendors,
} from "./ports.ts";
export {
  fillPrices,
  type ModelPrice,
  type PricedModels,
  type PriceRecord,
  priceRecordSchema,
  type Rate,
  toPriceRecord,
} from "./price-record.ts";
export { createQueue, type Queue } from "./queue.ts";
export { quote, shorten } from "./quote.ts";
export { createRateEstimate, type RateEstimate } from "./rate-estimate.ts";
export { type RemotePart, remotePartSchema } from "./remote-part.ts";
export { secretHeaders } from "./secret-headers.ts";
export { createThrottledEmitter } from "./throttled-emitter.ts";
