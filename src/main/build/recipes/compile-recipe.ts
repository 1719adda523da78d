import { batchEndpoint, type Problem, type Recipe } from "#contract";
import type { Row } from "../sources/index.ts";
import { type CompiledTemplate, compileTemplate, TemplateFailure } from "./compile-template.ts";
import { createTemplateEngine } from "./engine.ts";

/** A row as a line of a batch input file, without its line end; null where it can't be made. */
export interface RenderedRow {
  readonly line: string | null;
  readonly problems: readonly Problem[];
}

/** A recipe whose templates have been read once, for rows of one table. */
export interface CompiledRecipe {
  /** What is wrong whatever the rows are. With an error here no row can be rendered. */
  readonly problems: readonly Problem[];
  render(row: Row): RenderedRow;
}

const noPrompt = "There is no user message with text. Write what is to be asked.";

function rowProblem(row: Row, code: Problem["code"], param: string | null, message: string): Problem {
  return { code, message, param, line: row.number, severity: code === "empty_value" ? "warning" : "error" };
}

/** The cells by column. Without a prototype, since a column may have any name. */
function cellsByColumn(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  const byColumn: Record<string, string> = Object.create(null);
  for (const [index, column] of columns.entries()) byColumn[column] = cells[index] ?? "";
  return byColumn;
}

/** Reads the templates of a recipe for a table with these columns. */
export function compileRecipe(recipe: Recipe, columns: readonly string[]): CompiledRecipe {
  const engine = createTemplateEngine();
  const problems: Problem[] = [];
  const compile = (text: string, param: string): CompiledTemplate => {
    const compiled = compileTemplate(engine, text, columns, param);
    problems.push(...compiled.problems);
    return compiled.template;
  };
  const messages = recipe.messages.map(({ role, content }, index) => {
    const param = `body.messages[${index}].content`;
    return { role, param, template: compile(content, param) };
  });
  const customId = compile(recipe.customId, "custom_id");
  if (!recipe.messages.some(({ role, content }) => role === "user" && content.trim() !== "")) {
    problems.push({ code: "no_prompt", message: noPrompt, param: "body.messages", line: null, severity: "error" });
  }
  const parameters = {
    ...(recipe.temperature === null ? {} : { temperature: recipe.temperature }),
    ...(recipe.maxCompletionTokens === null ? {} : { max_completion_tokens: recipe.maxCompletionTokens }),
  };

  function findEmpty(row: Row, cells: Record<string, string>, { plainColumns }: CompiledTemplate, param: string) {
    return plainColumns
      .filter((column) => cells[column]?.trim() === "")
      .map((column) => rowProblem(row, "empty_value", param, `The column "${column}" is empty in this row.`));
  }

  return {
    problems,
    render(row) {
      if (row.fault !== null) return { line: null, problems: [rowProblem(row, "invalid_row", null, row.fault)] };
      const cells = cellsByColumn(columns, row.cells);
      const found: Problem[] = [];
      let failed = false;
      const fill = (template: CompiledTemplate, param: string): string => {
        found.push(...findEmpty(row, cells, template, param));
        try {
          return template.render({ cells, number: row.number });
        } catch (error) {
          if (!(error instanceof TemplateFailure)) throw error;
          found.push(rowProblem(row, error.code, param, error.message));
          failed = true;
          return "";
        }
      };
      const filled = messages.map(({ role, param, template }) => ({ role, content: fill(template, param) }));
      const id = fill(customId, "custom_id");
      if (failed) return { line: null, problems: found };
      if (!filled.some(({ role, content }) => role === "user" && content.trim() !== "")) {
        found.push(rowProblem(row, "no_prompt", "body.messages", "The user message of this row has no text."));
      }
      const body = { model: recipe.model, messages: filled, ...parameters };
      const request = { custom_id: id, method: "POST", url: batchEndpoint, body };
      return { line: JSON.stringify(request), problems: found };
    },
  };
}
