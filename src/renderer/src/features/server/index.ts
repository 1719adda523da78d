export { ServerPlace } from "./server-place.tsx";
