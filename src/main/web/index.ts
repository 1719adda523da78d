export { contentSecurityPolicy, createNonce, type PagePolicy, securityHeaders } from "./csp.ts";
export { defaultPort } from "./listen.ts";
export { insertNonce, openPage, type Page, type PageAnswer } from "./page.ts";
export { startWebHost, type WebHost, type WebHostOptions } from "./web-host.ts";
