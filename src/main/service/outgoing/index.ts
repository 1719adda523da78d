export { createOutgoing, type Outgoing } from "./outgoing.ts";
export { ProxyError } from "./proxies.ts";
