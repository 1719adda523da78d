import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./paths.mjs";
import { formatDuration } from "./print.mjs";

/** The files that the test runners write their reports to, in the folder that SHEAF_TEST_REPORTS names. */
const [unitReport, browserReport] = ["unit.json", "browser.json"];

/**
 * @typedef {{ file: string, name: string, took: number }} Test
 * @typedef {{ testResults: { name: string, assertionResults: { fullName: string, duration?: number | null }[] }[] }} VitestReport
 * @typedef {{ suites?: Suite[], specs?: { file: string, title: string, tests: { results: { duration: number }[] }[] }[] }} Suite
 */

/**
 * The slowest tests of all runners together, a line each.
 * @param {string} folder where their reports are
 * @param {number} count
 */
export function describeSlowest(folder, count = 20) {
  const slowest = [...readUnitTests(join(folder, unitReport)), ...readBrowserTests(join(folder, browserReport))]
    .sort((one, other) => other.took - one.took)
    .slice(0, count);
  return slowest.map(({ file, name, took }) => `${formatDuration(took).padStart(10)}  ${file} › ${name}`).join("\n");
}

/** @param {string} path @returns {Test[]} */
function readUnitTests(path) {
  /** @type {VitestReport} */
  const { testResults } = readReport(path) ?? { testResults: [] };
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(root, file),
      name: fullName,
      took: duration ?? 0,
    })),
  );
}

/** @param {string} path @returns {Test[]} */
function readBrowserTests(path) {
  /** @param {Suite} suite @returns {Test[]} */
  const testsOf = ({ suites = [], specs = [] }) => [
    ...suites.flatMap(testsOf),
    ...specs.map(({ file, title, tests }) => ({
      file,
      name: title,
      took: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
    })),
  ];
  return testsOf(readReport(path) ?? {});
}

/** @param {string} path */
function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}
