export { type Build, createBuild } from "./build.ts";
export { BuildError, type BuildErrorKind } from "./errors.ts";
export { submit, toFileName } from "./submit.ts";
