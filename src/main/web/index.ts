export { openPage, type PageAnswer } from "./page.ts";
export { startWebHost, type WebHost, type WebHostOptions } from "./web-host.ts";
