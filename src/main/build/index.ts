export { type Build, createBuild } from "./build.ts";
export { type BuildThread, createBuildThread } from "./build-thread.ts";
export { BuildError, type BuildErrorKind } from "./errors.ts";
export { embedPictures } from "./pictures/embed-pictures.ts";
export { openTableFile } from "./sources/table-file.ts";
export { toFileName } from "./submit.ts";
