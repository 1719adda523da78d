import { imageSize } from "image-size";
import { readDataAddress } from "#main/answers";

/** Of a picture, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** What a picture takes of a prompt, by its size and how closely it is to be looked at. */
type PictureRule = (size: PictureSize, detail: string | null | undefined) => number;

/** Of a picture at an address, which is not fetched for an estimate. */
const usualSize: PictureSize = { width: 1_024, height: 1_024 };

/** The tokens of a picture by the rule of the model's vendor; an unknown model counts as `gpt-4o` does. */
export function countPictureTokens(url: string, detail: string | null | undefined, model = ""): number {
  const rule = rules.find(({ models }) => models.test(model))?.rule ?? usualRule;
  return Math.ceil(rule(readPictureSize(url) ?? usualSize, detail));
}

/** Characters of Base64 in which the size of most pictures is found. */
const headCharacters = 64 * 1_024;

/** The size of a picture in a `data:` address; null for another address, and for what can't be read. */
export function readPictureSize(url: string): PictureSize | null {
  const { type, isBase64 = false, start = 0 } = readDataAddress(url) ?? {};
  if (!isBase64 || !/^image\//i.test(type ?? "")) return null;
  for (const end of [start + headCharacters, url.length]) {
    try {
      const { width, height } = imageSize(Buffer.from(url.slice(start, end), "base64"));
      if (width > 0 && height > 0) return { width, height };
    } catch {
      // Longer metadata may be before the size.
    }
  }
  return null;
}

/** The picture as it is after it was made smaller. Nothing is made larger. */
function shrink({ width, height }: PictureSize, by: number): PictureSize {
  const factor = Math.min(1, by);
  return { width: width * factor, height: height * factor };
}

/** OpenAI: within 2,048 pixels, and then 768 on its shorter side; a price for the picture, and one for each tile of 512 pixels. */
function inTiles(base: number, tile: number): PictureRule {
  return (size, detail) => {
    if (detail === "low") return base;
    const fitted = shrink(size, 2_048 / Math.max(size.width, size.height));
    const { width, height } = shrink(fitted, 768 / Math.min(fitted.width, fitted.height));
    // Half a pixel is none.
    return base + tile * Math.ceil(Math.round(width) / 512) * Math.ceil(Math.round(height) / 512);
  };
}

const patch = 32;

/** OpenAI: patches of 32 pixels, times a factor of the model; a picture that needs more than `most` is made smaller. */
function inPatches(factor: number, mostOf: (detail: string | null | undefined) => number = () => 1_536): PictureRule {
  return ({ width, height }, detail) => {
    const most = mostOf(detail);
    const patches = Math.ceil(width / patch) * Math.ceil(height / patch);
    if (patches <= most) return patches * factor;
    const scale = Math.sqrt((patch * patch * most) / (width * height));
    const [across, down] = [(width * scale) / patch, (height * scale) / patch];
    const fit = Math.min(Math.floor(across) / across, Math.floor(down) / down);
    return Math.min(most, Math.ceil(across * fit - 1e-9) * Math.ceil(down * fit - 1e-9)) * factor;
  };
}

/** Anthropic: a token for 750 pixels, of a picture within an edge and a number of tokens. */
function byPixels(edge: number, most: number): PictureRule {
  return (size) => {
    const { width, height } = shrink(size, edge / Math.max(size.width, size.height));
    return Math.min(most, (width * height) / 750);
  };
}

const geminiTile = 258;

/** Gemini: a small picture is one tile; a larger one as many as fit, each 1 / 1.5 of its shorter side. */
const inGeminiTiles: PictureRule = ({ width, height }) => {
  if (Math.max(width, height) <= 384) return geminiTile;
  const unit = Math.max(1, Math.floor(Math.min(width, height) / 1.5));
  return geminiTile * Math.ceil(width / unit) * Math.ceil(height / unit);
};

/** At most, by the resolution that is the default. */
const perGemini3Picture = 1_120;

const usualRule = inTiles(85, 170);

/** The first that fits a model's name counts, also behind its vendor's. Their sources: testing/vendor-pictures.json. */
const rules: readonly { readonly models: RegExp; readonly rule: PictureRule }[] = [
  { models: /claude-(?:opus-4[-.][7-9]|[a-z]+-[5-9])/i, rule: byPixels(2_576, 4_784) },
  { models: /claude/i, rule: byPixels(1_568, 1_600) },
  { models: /gemini-[3-9]/i, rule: () => perGemini3Picture },
  { models: /gemini/i, rule: inGeminiTiles },
  { models: /gpt-(?:5-mini|4\.1-mini)/i, rule: inPatches(1.62) },
  { models: /gpt-(?:5-nano|4\.1-nano)/i, rule: inPatches(2.46) },
  { models: /o4-mini/i, rule: inPatches(1.72) },
  { models: /gpt-5\.[5-9]/i, rule: inPatches(1.2, (detail) => (detail === "high" ? 2_500 : 10_000)) },
  { models: /gpt-4o-mini/i, rule: inTiles(2_833, 5_667) },
  { models: /gpt-5(?![\d.])/i, rule: inTiles(70, 140) },
  { models: /(?:^|\/)o[13](?![\w.])/i, rule: inTiles(75, 150) },
  { models: /computer-use-preview/i, rule: inTiles(65, 129) },
];
