/**
 * What is wrong with the project's folder; undefined where nothing is. Vite takes what follows these signs for no part of a path.
 * @param {string} folder
 */
export function describeOddFolder(folder) {
  const sign = /[#?]/.exec(folder)?.[0];
  if (sign === undefined) return undefined;
  return `Sheaf can't be built below a folder with ${sign} in its name: ${folder}. Move or rename it, then run the command again.`;
}
