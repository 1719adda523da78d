import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./paths.mjs";
import { formatDuration } from "./print.mjs";

/** The files that the test runners write their reports to, in the folder that SHEAF_TEST_REPORTS names. */
const [unitReport, unhandledReport, browserReport] = ["unit.json", "unhandled.json", "browser.json"];

/**
 * `failed` is the first line of the reason, or null.
 * @typedef {{ file: string, name: string, took: number, failed: string | null }} Test
 * @typedef {{ fullName: string, duration?: number | null, status?: string, failureMessages?: string[] }} VitestTest
 * @typedef {{ testResults: { name: string, message?: string, assertionResults: VitestTest[] }[] }} VitestReport
 * @typedef {{ duration: number, error?: { message?: string } }} BrowserResult
 * @typedef {{ file: string, title: string, ok?: boolean, tests: { results: BrowserResult[] }[] }} Spec
 * @typedef {{ suites?: Suite[], specs?: Spec[], errors?: { message?: string }[] }} Suite
 */

/**
 * The slowest tests of all runners together, a line each.
 * @param {string} folder where their reports are
 * @param {number} count
 */
export function describeSlowest(folder, count = 20) {
  const slowest = readTests(folder)
    .sort((one, other) => other.took - one.took)
    .slice(0, count);
  return slowest.map(({ file, name, took }) => `${formatDuration(took).padStart(10)}  ${file} › ${name}`).join("\n");
}

/**
 * What failed in all runners, a line each with the first line of its reason: also a file that could not be run, and an error
 * outside of the tests, which fails a run in which each test passes.
 * @param {string} folder where their reports are
 */
export function describeFailed(folder) {
  return readTests(folder)
    .filter(({ failed }) => failed !== null)
    .map(({ file, name, failed }) => `  ${file} › ${name}: ${failed}`)
    .join("\n");
}

/** @param {string} folder @returns {Test[]} */
function readTests(folder) {
  return [
    ...readUnitTests(join(folder, unitReport)),
    ...readUnhandled(join(folder, unhandledReport)),
    ...readBrowserTests(join(folder, browserReport)),
  ];
}

/** @param {string} path @returns {Test[]} */
function readUnitTests(path) {
  /** @type {VitestReport} */
  const { testResults } = readReport(path) ?? { testResults: [] };
  return testResults.flatMap(({ name, message = "", assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.map(({ fullName, duration, status, failureMessages = [] }) => ({
      file,
      name: fullName,
      took: duration ?? 0,
      failed: status === "failed" ? firstLine(failureMessages[0]) : null,
    }));
    return message === "" ? tests : [...tests, { file, name: "the whole file", took: 0, failed: firstLine(message) }];
  });
}

/** @param {string} path @returns {Test[]} */
function readUnhandled(path) {
  /** @type {string[]} */
  const errors = readReport(path) ?? [];
  return errors.map((error) => ({ file: "unit", name: "outside of tests", took: 0, failed: firstLine(error) }));
}

/** @param {string} path @returns {Test[]} */
function readBrowserTests(path) {
  /** @param {Suite} suite @returns {Test[]} */
  const testsOf = ({ suites = [], specs = [], errors = [] }) => [
    ...errors.map(({ message }) => ({ file: "e2e", name: "outside of tests", took: 0, failed: firstLine(message) })),
    ...suites.flatMap(testsOf),
    ...specs.map(({ file, title, ok = true, tests }) => {
      const results = tests.flatMap((test) => test.results);
      const message = results.find(({ error }) => error !== undefined)?.error?.message;
      return {
        file,
        name: title,
        took: results.reduce((sum, { duration }) => sum + duration, 0),
        failed: ok ? null : firstLine(message),
      };
    }),
  ];
  return testsOf(readReport(path) ?? {});
}

/** @param {string | undefined} message */
function firstLine(message) {
  return message?.split("\n")[0] || "it says no reason";
}

/** @param {string} path */
function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}
