import type { CompileContext, Extension as MdastExtension, Token } from "mdast-util-from-markdown";
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types";

const [asterisk, underscore] = [42, 95];

/**
 * What of Markdown changes the meaning of an answer when it is drawn, taken out: a link definition vanishes, an entity becomes
 * another character, an underline of dashes goes, a backslash goes at the end of a line, and within numbers, formulas and
 * names a mark of emphasis is an operator or a letter.
 */
export const faithfulSyntax: Extension = {
  disable: { null: ["definition", "characterReference", "hardBreakEscape", "setextUnderline"] },
  text: { [asterisk]: operator(), [underscore]: [operator(), dunder()] },
};

/** Keeps the backslash of an escape, and the spaces that a line of a paragraph begins with. */
export const faithfulToMdast: MdastExtension = {
  enter: {
    linePrefix(this: CompileContext, token: Token) {
      const parent = this.stack.at(-1);
      if (parent === undefined || !("children" in parent)) return;
      const before = parent.children.at(-1);
      if (before?.type === "text" && before.value.endsWith("\n")) before.value += this.sliceSerialize(token);
      if (before?.type === "break") {
        const position = { start: point(token.start), end: point(token.end) };
        parent.children.push({ type: "text", value: this.sliceSerialize(token), position } as never);
      }
    },
  },
  exit: {
    escapeMarker(this: CompileContext, token: Token) {
      const text = this.stack.at(-1);
      // Elsewhere than in a paragraph, as in an address, the backslash is no part of it.
      if (text?.type === "text" && this.stack.at(-2)?.type !== "fragment") text.value += this.sliceSerialize(token);
    },
  },
};

const point = ({ line, column, offset }: Token["start"]) => ({ line, column, offset });
const toText = (code: Code) => (code === null || code < 0 ? " " : String.fromCharCode(code));
/** Scripts that are written without spaces have emphasis within a word. */
const isOperand = (text: string) => /[\p{N}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u.test(text);

/** A run of marks between two operands, as in `3*4*5` or `f(x)*(y)`. */
function operator(): Construct {
  return {
    name: "operator",
    tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
      const before = toText(this.previous);
      return (first) => {
        if (!isOperand(before) && !/[)\]}]/.test(before)) return nok(first);
        const run: State = (code) => {
          if (code === first) {
            effects.consume(code);
            return run;
          }
          effects.exit("data");
          const after = toText(code);
          return isOperand(after) || /[([{\\]/.test(after) ? ok(code) : nok(code);
        };
        effects.enter("data");
        return run(first);
      };
    },
  };
}

/** A name such as `__init__`. */
function dunder(): Construct {
  return {
    name: "dunder",
    tokenize(effects: Effects, ok: State, nok: State): State {
      let text = "";
      const run: State = (code) => {
        if (/\w/.test(toText(code))) {
          text += toText(code);
          effects.consume(code);
          return run;
        }
        effects.exit("data");
        return /^__[a-z\d]+(?:_[a-z\d]+)*__$/i.test(text) ? ok(code) : nok(code);
      };
      return (code) => {
        effects.enter("data");
        return run(code);
      };
    },
  };
}
