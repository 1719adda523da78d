export { typeOverMarks } from "./type-over-marks.ts";
