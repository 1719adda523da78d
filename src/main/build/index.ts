export { type Build, createBuild } from "./build.ts";
export { type BuildThread, createBuildThread } from "./build-thread.ts";
export { BuildError, type BuildErrorKind } from "./errors.ts";
export { loadTables } from "./load-tables.ts";
export type { RenderStep, WriteResult } from "./rendering/render-rows.ts";
export type { SourceIndex } from "./sources/stored-source.ts";
export { openTableFile } from "./sources/table-file.ts";
export { toFileName } from "./submit.ts";
