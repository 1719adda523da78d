export { BuildPage, type BuildPageProps } from "./build-page.tsx";
export { exampleContent } from "./draft/example.ts";
