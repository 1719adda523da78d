import { fileURLToPath } from "node:url";

/** The project's folder, with a separator at the end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A path inside the project.
 * @param {string} relative
 */
export const inProject = (relative) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
