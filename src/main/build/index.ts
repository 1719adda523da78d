export { type Build, createBuild } from "./build.ts";
export { BuildError, type BuildErrorKind } from "./errors.ts";
export { embedPictures } from "./pictures/embed-pictures.ts";
export { toFileName } from "./submit.ts";
