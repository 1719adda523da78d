export type { RpcContext } from "./context.ts";
export { router } from "./router.ts";
