import { run } from "./child.mjs";

/**
 * Runs npm: the one that started this process where there is one, because that one is known to work.
 *
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNpm(args, options = {}) {
  const starter = process.env.npm_execpath;
  if (starter?.endsWith("npm-cli.js")) return run(process.execPath, [starter, ...args], options);
  const onWindows = process.platform === "win32";
  return run(onWindows ? "npm.cmd" : "npm", args, { ...options, shell: onWindows });
}
