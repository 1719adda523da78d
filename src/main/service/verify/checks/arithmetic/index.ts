export { checkArithmetic } from "./check-arithmetic.ts";
