export { openPage, type PageAnswer } from "./page.ts";
export { defaultPort, startWebHost, type WebHost, type WebHostOptions } from "./web-host.ts";
