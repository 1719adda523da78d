import { batchEndpoint, type ContentPart, type Problem, placeholderFor, type RequestTemplate } from "#contract";
import type { RequestRules } from "#main/requests";
import { createPictureReader } from "../pictures/read-picture.ts";
import type { Row } from "../sources/stored-source.ts";
import { readParameters } from "./request-parameters.ts";
import { createTemplateEngine } from "./template-engine.ts";
import { toTemplateValue } from "./template-values.ts";
import { saysNo } from "./text-conditions.ts";
import { compileTextTemplate, TemplateFailure, type TextTemplate } from "./text-template.ts";

/** A row as a line of a batch input file, without its line end; null where it can't be made. */
export interface RenderedRow {
  readonly line: string | null;
  readonly problems: readonly Problem[];
  /** Set when no row may be sent: the line has the path of a picture in place of the picture. */
  readonly refusal?: Problem;
}

/** A request template that was compiled for the rows of one table. */
export interface CompiledRequestTemplate {
  /** Problems that don't depend on a row. With an error here no row can be rendered. */
  readonly problems: readonly Problem[];
  /** Columns whose values can be in a request, or in its custom_id. */
  readonly usedColumns: readonly string[];
  render(row: Row): RenderedRow;
}

const noModel = "Choose the model that answers, or type its name.";
const noPrompt = "There is no user message with text. Write what is to be asked.";

const warnings: ReadonlySet<Problem["code"]> = new Set(["empty_value", "text_as_condition"]);

function rowProblem(row: Row, code: Problem["code"], param: string | null, message: string): Problem {
  return { code, message, param, line: row.number, severity: warnings.has(code) ? "warning" : "error" };
}

/** The cells by column. Without a prototype, since a column may have any name. */
function cellsByColumn(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  const byColumn: Record<string, string> = Object.create(null);
  for (const [index, column] of columns.entries()) byColumn[column] = cells[index] ?? "";
  return byColumn;
}

/** What templates see of a row: the values of the columns that they use, with their types where the table has some. */
function valuesByColumn(columns: readonly string[], used: ReadonlySet<string>, { cells, values = cells }: Row): Values {
  const byColumn: Values = Object.create(null);
  for (const [index, column] of columns.entries()) {
    if (used.has(column)) byColumn[column] = toTemplateValue(values[index]);
  }
  return byColumn;
}

type Values = Record<string, unknown>;

/** The values with those of columns such as `meta.lang` inside of `meta` as well, where no column has that name itself. */
function nestPaths(values: Values, paths: readonly string[]): Values {
  const scope: Values = Object.assign(Object.create(null), values);
  for (const path of paths) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    let inner: unknown = scope;
    for (const key of keys) {
      if (!isScope(inner)) break;
      inner[key] ??= Object.create(null);
      inner = inner[key];
    }
    if (isScope(inner)) inner[last] ??= values[path];
  }
  return scope;
}

/** An object that was made here, and is no value of the table. */
function isScope(value: unknown): value is Values {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;
}

/** The table and the connection that a request template is compiled for. */
interface TemplateOptions {
  /** What the connection doesn't support; default: unknown. */
  readonly connection?: RequestRules | null;
  /** Folders of this computer whose pictures are read; default: none. */
  readonly pictureFolders?: readonly string[] | undefined;
}

/** Compiles a request template for a table with these columns. */
export function compileRequestTemplate(
  request: RequestTemplate,
  columns: readonly string[],
  { connection = null, pictureFolders = [] }: TemplateOptions = {},
): CompiledRequestTemplate {
  const engine = createTemplateEngine();
  const problems: Problem[] = [];
  const compile = (text: string, param: string): TextTemplate => {
    const compiled = compileTextTemplate(engine, text, columns, param);
    problems.push(...compiled.problems);
    return compiled.template;
  };
  const messages = request.messages.map(({ role, content, imageColumn }, index) => {
    const param = `body.messages[${index}].content`;
    if (imageColumn !== undefined && !columns.includes(imageColumn)) {
      const message = `There is no column "${imageColumn}" to take pictures from.`;
      problems.push({ code: "unknown_column", message, param, line: null, severity: "error" });
    }
    return { role, param, imageColumn, template: compile(content, param) };
  });
  const customId = compile(request.customId, "custom_id");
  const asks = ({ role, content, imageColumn }: (typeof request.messages)[number]) =>
    role === "user" && (content.trim() !== "" || imageColumn !== undefined);
  if (!request.messages.some(asks)) {
    problems.push({ code: "no_prompt", message: noPrompt, param: "body.messages", line: null, severity: "error" });
  }
  if (request.model.trim() === "") {
    problems.push({ code: "model_not_found", message: noModel, param: "body.model", line: null, severity: "error" });
  }
  const { parameters, problems: parameterProblems } = readParameters(request, connection);
  problems.push(...parameterProblems);

  function findEmpty(row: Row, cells: Record<string, string>, { plainColumns }: TextTemplate, param: string) {
    return plainColumns
      .filter((column) => cells[column]?.trim() === "")
      .map((column) => rowProblem(row, "empty_value", param, `The column "${column}" is empty in this row.`));
  }

  function findTexts(row: Row, scope: Values, { testedColumns }: TextTemplate, param: string) {
    return testedColumns.flatMap((column) => {
      const value = scope[column];
      if (!saysNo(value)) return [];
      const found = `The column "${column}" is text, and an if takes its "${value.trim()}" as true.`;
      const next = `Compare it: ${placeholderFor(column).slice(3, -3)} == ${JSON.stringify(value.trim())}.`;
      return [rowProblem(row, "text_as_condition", param, `${found} ${next}`)];
    });
  }

  const used = new Set([
    ...messages.flatMap(({ template, imageColumn }) => [...template.usedColumns, imageColumn ?? []].flat()),
    ...customId.usedColumns,
  ]);
  const paths = [...used].filter((column) => column.includes("."));

  return {
    problems,
    usedColumns: [...used],
    render(row) {
      if (row.fault !== null) return { line: null, problems: [rowProblem(row, "invalid_row", null, row.fault)] };
      const cells = cellsByColumn(columns, row.cells);
      const values = valuesByColumn(columns, used, row);
      const scope = paths.length === 0 ? values : nestPaths(values, paths);
      const found: Problem[] = [];
      let failed = false;
      const fill = (template: TextTemplate, param: string): string => {
        found.push(...findEmpty(row, cells, template, param), ...findTexts(row, values, template, param));
        try {
          return template.render({ cells: scope, number: row.number });
        } catch (error) {
          if (!(error instanceof TemplateFailure)) throw error;
          found.push(rowProblem(row, error.code, param, error.message));
          failed = true;
          return "";
        }
      };
      let refusal: Problem | undefined;
      const readPicture = createPictureReader(pictureFolders);
      const addPicture = (place: string, param: string): string | null => {
        const picture = readPicture(place);
        if ("url" in picture) return picture.url;
        if ("problem" in picture) {
          found.push(rowProblem(row, "picture_unreadable", param, picture.problem));
          return null;
        }
        refusal ??= { ...notAllowed(picture.notAllowed), param };
        return place;
      };
      const filled = messages.map(({ role, param, template, imageColumn }) => {
        const text = fill(template, param);
        const place = imageColumn === undefined ? "" : (cells[imageColumn]?.trim() ?? "");
        if (imageColumn === undefined) return { role, content: text };
        if (place === "") {
          found.push(rowProblem(row, "empty_value", param, `The column "${imageColumn}" is empty in this row.`));
          return { role, content: text };
        }
        const url = addPicture(place, param);
        return { role, content: url === null ? text : toParts(text, url) };
      });
      const id = fill(customId, "custom_id");
      if (failed) return { line: null, problems: found };
      if (!filled.some(({ role, content }) => role === "user" && (Array.isArray(content) || content.trim() !== ""))) {
        found.push(rowProblem(row, "no_prompt", "body.messages", "The user message of this row has no text."));
      }
      const body = { model: request.model, messages: filled, ...parameters };
      const line = { custom_id: id, method: "POST", url: batchEndpoint, body };
      return { line: JSON.stringify(line), problems: found, ...(refusal && { refusal }) };
    },
  };
}

function notAllowed(folder: string): Problem {
  const message = `Pictures of ${folder} are not sent yet. “Send pictures from this computer”, above the message, allows it.`;
  return { code: "picture_not_allowed", message, param: null, line: null, severity: "error" };
}

function toParts(text: string, url: string): ContentPart[] {
  const image: ContentPart = { type: "image_url", image_url: { url } };
  return text.trim() === "" ? [image] : [{ type: "text", text }, image];
}
