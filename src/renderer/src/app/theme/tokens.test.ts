import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const texts = ["ink", "soft", "faint", "accent-ink", "blue", "green", "red", "orange", "violet", "teal", "pink"];
const grounds = ["ground", "panel", "sunk", "raised", "hover", "selected", "accent-soft"];

function readTokens(theme: string): Map<string, string> {
  const block = css.split(`[data-mantine-color-scheme="${theme}"] {`)[1]?.split("}")[0] ?? "";
  return new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", colour = ""]) => [name, colour]),
  );
}

/** Relative luminance (WCAG 2.2, Definitions). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test.each(["light", "dark"])("every text of the %s theme can be read on every ground", (theme) => {
  const tokens = readTokens(theme);
  const colour = (name: string) => tokens.get(name) ?? "missing";
  const tooWeak = texts.flatMap((text) =>
    grounds
      .filter((ground) => !(contrast(colour(text), colour(ground)) >= 4.5))
      .map((ground) => `${text} on ${ground}: ${contrast(colour(text), colour(ground)).toFixed(2)}`),
  );
  expect(tooWeak).toEqual([]);
});

test.each([
  ["light", "on-accent", "accent"],
  ["light", "on-accent", "accent-hover"],
  ["light", "on-red", "red"],
  ["light", "on-red", "red-hover"],
  ["light", "red", "red-soft"],
  ["light", "orange", "orange-soft"],
  ["dark", "on-accent", "accent"],
  ["dark", "on-accent", "accent-hover"],
  ["dark", "on-red", "red"],
  ["dark", "on-red", "red-hover"],
  ["dark", "red", "red-soft"],
  ["dark", "orange", "orange-soft"],
])("in the %s theme %s can be read on %s", (theme, text, ground) => {
  const tokens = readTokens(theme);
  expect(contrast(tokens.get(text) ?? "missing", tokens.get(ground) ?? "missing")).toBeGreaterThanOrEqual(4.5);
});
