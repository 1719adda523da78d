export { type Api, type Bridge, createBridge, type Rpc } from "./bridge.ts";
export { BridgeProvider, useApi, useBridge, useConnection, useRpc } from "./bridge-context.ts";
export type { ConnectionState, ConnectionStatus } from "./connection.ts";
export { readCspNonce } from "./csp-nonce.ts";
export { deliverExport } from "./deliver-export.ts";
export { describeError, type ErrorDescription } from "./describe-error.ts";
export { createQueryClient } from "./query-client.ts";
