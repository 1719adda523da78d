import type { Node } from "mdast";
import type { CompileContext, Extension as MdastExtension, Token } from "mdast-util-from-markdown";
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types";

// Codes of characters. Below -2 are line ends; -2 and -1 belong to tabs.
const [dollar, space, open, close, openSquare, backslash, closeSquare] = [36, 32, 40, 41, 91, 92, 93];

/** Longer formulas are text: one that is never closed must not be looked for again and again. */
const longestFormula = 4_000;

declare module "micromark-util-types" {
  interface TokenTypeMap {
    formula: "formula";
    formulaData: "formulaData";
  }
}

/** A formula of TeX with its marks, as it was written. */
export interface Formula extends Node {
  type: "formula";
  value: string;
  /** Whether it stands by itself, not within a paragraph. */
  isBlock: boolean;
}

declare module "mdast" {
  interface PhrasingContentMap {
    formula: Formula;
  }
  interface RootContentMap {
    formula: Formula;
  }
}

/** Keeps formulas whole: `\(x\)`, `\[x\]`, `$$x$$` and `$x$`. What is within them is no Markdown. */
export const formulaSyntax: Extension = {
  flow: { [dollar]: formulaBlock(), [backslash]: formulaBlock() },
  text: { [dollar]: formulaInText(), [backslash]: formulaInText() },
};

export const formulaToMdast: MdastExtension = {
  enter: {
    formula(this: CompileContext, token: Token) {
      const isBlock = !/paragraph|heading|emphasis|strong|delete|link|tableCell|fragment/.test(
        this.stack.at(-1)?.type ?? "",
      );
      this.enter({ type: "formula", value: this.sliceSerialize(token), isBlock }, token);
    },
  },
  exit: {
    formula(this: CompileContext, token: Token) {
      this.exit(token);
    },
  },
};

const isEnd = (code: Code) => code === null || code < -2;
const isBlank = (code: Code) => code === space || code === -2 || code === -1;
const isWord = (code: Code) => code !== null && code > 0 && /[\p{L}\p{N}]/u.test(String.fromCharCode(code));

/** Whether a text between single dollars is meant as a formula and not as prices or names of variables. */
function isFormula(text: string): boolean {
  return /[\\^]|_[{\w]/.test(text) || /^[A-Za-z]$/.test(text) || /^[A-Za-z(][^"']*[=<>+]/.test(text);
}

function formulaInText(): Construct {
  return {
    name: "formula",
    tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
      const before = this.previous;
      let end: "\\)" | "\\]" | "$$" | "$";
      let text = "";
      const take = (code: Code) => {
        text += code === null || code < 0 ? " " : String.fromCharCode(code);
        effects.consume(code);
      };
      const inside: State = (code) => {
        if (code === null || text.length > longestFormula) return nok(code);
        if (isEnd(code)) {
          if (end === "$") return nok(code);
          effects.exit("formulaData");
          effects.enter("lineEnding");
          take(code);
          effects.exit("lineEnding");
          effects.enter("formulaData");
          return inside;
        }
        if (code === backslash) {
          take(code);
          return afterBackslash;
        }
        if (code === dollar && (end === "$" || end === "$$")) {
          if (end === "$$") {
            take(code);
            return secondDollar;
          }
          if (/\s$/.test(text) || !isFormula(text)) return nok(code);
          take(code);
          return last;
        }
        take(code);
        return inside;
      };
      const secondDollar: State = (code) => {
        if (code !== dollar || text.trim() === "$") return nok(code);
        take(code);
        return last;
      };
      const afterBackslash: State = (code) => {
        if (isEnd(code)) return inside(code);
        const isClosed = (end === "\\)" && code === close) || (end === "\\]" && code === closeSquare);
        take(code);
        return isClosed ? last : inside;
      };
      const last: State = (code) => {
        if (end === "$" && (isWord(code) || code === dollar)) return nok(code);
        effects.exit("formulaData");
        effects.exit("formula");
        return ok(code);
      };
      const second: State = (code) => {
        if (code === dollar) {
          end = "$$";
          effects.consume(code);
          return inside;
        }
        end = "$";
        return isBlank(code) || isWord(before) ? nok(code) : inside(code);
      };
      const afterSlash: State = (code) => {
        if (code !== open && code !== openSquare) return nok(code);
        end = code === open ? "\\)" : "\\]";
        effects.consume(code);
        return inside;
      };
      return (code) => {
        effects.enter("formula");
        effects.enter("formulaData");
        effects.consume(code);
        return code === dollar ? second : afterSlash;
      };
    },
  };
}

const isContinued: Construct = {
  partial: true,
  tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    return (code) => {
      if (code === null) return nok(code);
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next));
    };
  },
};

/** `\[` or `$$` alone on a line, up to a line that ends with its counterpart. One that is never closed goes to the end. */
function formulaBlock(): Construct {
  return {
    name: "formulaBlock",
    concrete: true,
    tokenize(effects: Effects, ok: State, nok: State): State {
      let line = "";
      let end = "";
      const after: State = (code) => {
        effects.exit("formula");
        return ok(code);
      };
      const nextLine: State = (code) => {
        effects.enter("lineEnding");
        effects.consume(code);
        effects.exit("lineEnding");
        line = "";
        return lineStart;
      };
      const lineEnd: State = (code) => effects.check(isContinued, nextLine, after)(code);
      const lineStart: State = (code) => {
        if (isEnd(code)) return lineEnd(code);
        effects.enter("formulaData");
        return inLine(code);
      };
      const inLine: State = (code) => {
        if (!isEnd(code)) {
          line += code === null || code < 0 ? " " : String.fromCharCode(code);
          effects.consume(code);
          return inLine;
        }
        effects.exit("formulaData");
        return line.trimEnd().endsWith(end) ? after(code) : lineEnd(code);
      };
      const opened: State = (code) => {
        if (isBlank(code)) {
          effects.consume(code);
          return opened;
        }
        if (!isEnd(code)) return nok(code);
        effects.exit("formulaData");
        return lineEnd(code);
      };
      return (first) => {
        effects.enter("formula");
        effects.enter("formulaData");
        effects.consume(first);
        return (code) => {
          if (code !== (first === dollar ? dollar : openSquare)) return nok(code);
          end = first === dollar ? "$$" : "\\]";
          effects.consume(code);
          return opened;
        };
      };
    },
  };
}
