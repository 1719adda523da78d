/** Loads the graders that compute grades, with the compiler of JSON schemas. */
export function loadGraders(): Promise<typeof import("./graders.ts")> {
  return import("./graders.ts");
}
