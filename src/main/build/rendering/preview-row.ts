import type { Preview, Problem, RequestTemplate } from "#contract";
import { type CheckRules, createLineChecker } from "#main/requests";
import { BuildError } from "../errors.ts";
import { tryParseJsonObject } from "../sources/json-lines.ts";
import { readSomeRows } from "../sources/read-rows.ts";
import { isFilteredOut } from "./choose-rows.ts";
import { type PassInput, withConnection } from "./render-rows.ts";
import { compileRequestTemplate } from "./request-template.ts";
import { countLineTokens } from "./token-sample.ts";

/** The request of one row with its problems, but for those that depend on earlier rows. */
export async function previewRow(
  { path, source, rules, connection, rows, pictureFolders }: PassInput,
  template: RequestTemplate,
  row: number,
): Promise<Preview> {
  const [found] = await readSomeRows(path, source, row, 1);
  if (found === undefined) {
    throw new BuildError("not_found", `The file has ${source.rowCount} rows; there is no row ${row}.`);
  }
  const problems: Problem[] = [];
  let line: string | null = null;
  let refusal: Problem | null = null;
  if (source.holds === "requests") {
    line = found.cells[0] ?? "";
    if (found.fault !== null) {
      problems.push({ code: "invalid_json_line", message: found.fault, param: null, line: row, severity: "error" });
    }
  } else {
    const compiled = compileRequestTemplate(template, source.columns, { connection, pictureFolders });
    problems.push(...compiled.problems);
    if (!problems.some(({ severity }) => severity === "error")) {
      const rendered = compiled.render(found);
      problems.push(...rendered.problems);
      line = rendered.line;
      refusal = rendered.refusal ?? null;
    }
  }
  const request = line === null ? null : tryParseJsonObject(line);
  if (refusal !== null) problems.push(refusal);
  else if (line !== null && found.fault === null) {
    problems.push(...withConnection(createLineChecker(rules).check(line, row), connection, line, row));
  }
  return {
    row,
    total: source.rowCount,
    isFilteredOut: isFilteredOut(source, rows, found.cells),
    request: request === null ? line : JSON.stringify(request, null, 2),
    promptTokens: line === null || refusal !== null ? null : countLineTokens(line),
    contextTokens: findContextTokens(request, rules),
    problems,
  };
}

function findContextTokens(request: object | null, { models }: CheckRules): number | null {
  const body: unknown = request !== null && "body" in request ? request.body : null;
  if (typeof body !== "object" || body === null || !("model" in body)) return null;
  const { model } = body;
  return models?.find(({ names }) => typeof model === "string" && names.includes(model))?.limits.context ?? null;
}
