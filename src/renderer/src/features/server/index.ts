export { RequestInspector } from "./request-inspector.tsx";
export type { RequestsHandle } from "./requests-panel.tsx";
export { type ServerSearch, serverSearchSchema } from "./search-params.ts";
export { ServerPage } from "./server-page.tsx";
