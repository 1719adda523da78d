export {
  type Api,
  type Bridge,
  BridgeProvider,
  createBridge,
  createQueryClient,
  deliverExport,
  type Rpc,
  readCspNonce,
  useApi,
  useBridge,
  useConnection,
  useRpc,
} from "./bridge.ts";
export type { ConnectionState, ConnectionStatus } from "./connection.ts";
export { describeError, type ErrorDescription, isDiskRefusal, isMaybePaid } from "./describe-error.ts";
export { describeFolder, readChunk, sortDropped } from "./read-file.ts";
