export {
  type Api,
  type Bridge,
  BridgeProvider,
  createBridge,
  createQueryClient,
  type Rpc,
  useApi,
  useBridge,
  useConnection,
  useRpc,
} from "./bridge.ts";
export type { ConnectionState, ConnectionStatus } from "./connection.ts";
export { readCspNonce } from "./csp-nonce.ts";
export { deliverExport } from "./deliver-export.ts";
export { describeError, type ErrorDescription } from "./describe-error.ts";
