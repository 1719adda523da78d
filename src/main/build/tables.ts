/** Tables as commands read them, in their own process: what Build does in its thread. */
export { embedPictures } from "./pictures/embed-pictures.ts";
export { renderRows } from "./rendering/render-rows.ts";
export { detectFormat, readHead } from "./sources/convert-source.ts";
export { findEncoding } from "./sources/encodings.ts";
export { indexSource } from "./sources/index-source.ts";
export { readRows } from "./sources/read-rows.ts";
