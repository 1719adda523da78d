export { CodeMirror, type CodeMirrorProps } from "./code-mirror.tsx";
export { typeOverMarks } from "./type-over-marks.ts";
export { fromOutside, reportTyping, useCodeMirror } from "./use-code-mirror.ts";
