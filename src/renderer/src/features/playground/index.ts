export { PlaygroundPage } from "./playground-page.tsx";
