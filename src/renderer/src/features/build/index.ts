export { BuildPage, type BuildPageProps, DraftsError } from "./build-page.tsx";
export { findLatestDraft, hasUpload } from "./draft/draft-sessions.ts";
export { examples } from "./draft/examples.ts";
