import { existsSync, readdirSync } from "node:fs";
import { inProject } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

/** Where a room may be: those of the service first, then the places of the page. */
const places = ["src/main", "src", "src/renderer/src", "src/renderer/src/features", "."];

/**
 * The folder with the tests of a room, such as `src/main/results` for `results`. A path is a folder as well.
 * @param {string} room
 * @throws {SetupError} for a name without a folder
 */
export function findTestFolder(room) {
  const found = places
    .map((place) => (place === "." ? room : `${place}/${room}`))
    .find((each) => existsSync(inProject(each)));
  if (found !== undefined) return found;
  const rooms = readdirSync(inProject("src/main"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  throw new SetupError(`There is no room ${room}. Rooms: ${rooms.map(({ name }) => name).join(", ")}.`);
}
