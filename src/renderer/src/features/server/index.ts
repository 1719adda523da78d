export { ServerPage } from "./server-page.tsx";
