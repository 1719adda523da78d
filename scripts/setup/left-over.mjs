import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** How long processes may take to end after the tests, and how often it is looked, in milliseconds. */
const patience = 10_000;
const lookEvery = 200;

/**
 * Processes that have this entry in their environment, as they were started: `1234 node server.js`. This one is left out.
 * @param {string} entry such as `NAME=value`
 * @returns {string[]}
 */
export function listProcesses(entry) {
  return process.platform === "linux" ? listByFiles(entry) : listByProgram(entry);
}

/** @param {string} entry */
function listByFiles(entry) {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (!environment.includes(entry)) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()}`];
    } catch {
      // It has ended since, or is another user's.
      return [];
    }
  });
}

/** @param {string} entry */
function listByProgram(entry) {
  // With -E, the environment stands behind the command.
  const { stdout } = spawnSync("ps", ["-A", "-E", "-ww", "-o", "pid=,command="], { encoding: "utf8" });
  const lines = (stdout ?? "").split("\n").map((line) => line.trim());
  const found = lines.filter((line) => `${line} `.includes(` ${entry} `) && !line.startsWith(`${process.pid} `));
  return found.map((line) => line.replace(/ [A-Za-z_]\w*=.*$/, ""));
}

/**
 * A check that fails where a process is left of those that tests started, and names each.
 * @param {string} entry of the environment of all tests
 * @param {{ platform?: string, patience?: number }} [options]
 * @returns {Promise<import("./checks.mjs").Outcome>}
 */
export async function checkNothingIsLeft(entry, { platform = process.platform, patience: limit = patience } = {}) {
  if (platform === "win32") return { passed: true, leftOut: "Windows does not tell which processes tests started." };
  let left = listProcesses(entry);
  for (let waited = 0; left.length > 0 && waited < limit; waited += lookEvery) {
    await wait(lookEvery);
    left = listProcesses(entry);
  }
  const output = left.length === 0 ? "" : `These processes outlived the tests that started them:\n${left.join("\n")}`;
  return { passed: left.length === 0, output };
}
