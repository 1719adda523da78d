export { type Build, createBuild } from "./build.ts";
export { BuildError, type BuildErrorKind } from "./errors.ts";
export { toFileName } from "./submit.ts";
