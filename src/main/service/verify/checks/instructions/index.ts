export { checkInstructions } from "./check-instructions.ts";
