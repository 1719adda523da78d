import { type NativeImage, nativeImage } from "electron";

/** The bound sheaf in 16 by 16 pixels: no file is needed, and each density gets whole pixels. */
const drawing = [
  ".......##.......",
  "......####......",
  "..#...####...#..",
  "..##..####..##..",
  "..##...##...##..",
  "...##..##..##...",
  "...##..##..##...",
  "....##.##.##....",
  ".....######.....",
  "......####......",
  "....########....",
  "......####......",
  ".....######.....",
  "....###..###....",
  "...##..##..##...",
  "..##...##...##..",
];
/** Wheat gold, as blue, green, red: it can be seen on a light and on a dark bar. */
const ink = [0x2b, 0x85, 0xc8, 0xff] as const;
const scales = [1, 2, 3] as const;

/** The app's mark for the tray. macOS draws it in the colour of its bar. */
export function createTrayIcon(platform: NodeJS.Platform): NativeImage {
  const [smallest, ...larger] = scales.map((scale) => ({ scale, size: drawing.length * scale, pixels: paint(scale) }));
  const { pixels = Buffer.alloc(0), size = 0 } = smallest ?? {};
  const image = nativeImage.createFromBitmap(pixels, { width: size, height: size });
  for (const { scale, size, pixels } of larger) {
    image.addRepresentation({ scaleFactor: scale, width: size, height: size, buffer: pixels });
  }
  image.setTemplateImage(platform === "darwin");
  return image;
}

function paint(scale: number): Buffer {
  const size = drawing.length * scale;
  const pixels = Buffer.alloc(size * size * ink.length);
  for (let at = 0; at < size * size; at++) {
    const row = drawing[Math.floor(Math.floor(at / size) / scale)];
    if (row?.[Math.floor((at % size) / scale)] === "#") pixels.set(ink, at * ink.length);
  }
  return pixels;
}
