import { IfTag, type Template, TokenKind, toValueSync, UnlessTag, type Value } from "liquidjs";

/** Texts that mean "no", and that Liquid takes for true. */
const falseTexts = /^(?:false|no|0)$/i;

/** Whether a cell is a text that says no, and counts as true in a condition. */
export function saysNo(cell: unknown): cell is string {
  return typeof cell === "string" && falseTexts.test(cell.trim());
}

/** The expressions that are tested for themselves in an `if`, `elsif` or `unless`: `paid` in `{% if paid and n > 2 %}`. */
export function* findTested(templates: readonly Template[]): Generator<string> {
  for (const template of templates) {
    if (template instanceof IfTag || template instanceof UnlessTag) {
      for (const { value } of template.branches) yield* listTested(value);
    }
    const children: unknown = template.children === undefined ? [] : toValueSync(template.children(false, true));
    if (Array.isArray(children)) yield* findTested(children);
  }
}

/** Operands that no comparison takes: those of `and`, `or` and `not`, or one that stands alone. */
function listTested({ initial, filters }: Value): string[] {
  if (filters.length > 0) return [];
  const tested: string[] = [];
  const stack: (string | null)[] = [];
  const test = (operand: string | null | undefined) => {
    if (operand !== null && operand !== undefined) tested.push(operand);
  };
  for (const token of initial.postfix) {
    if (token.kind !== TokenKind.Operator) {
      stack.push(token.kind === TokenKind.PropertyAccess ? token.getText() : null);
      continue;
    }
    const operator = token.getText();
    const operands = operator === "not" ? [stack.pop()] : [stack.pop(), stack.pop()];
    if (["and", "or", "not"].includes(operator)) operands.forEach(test);
    stack.push(null);
  }
  stack.forEach(test);
  return tested;
}
