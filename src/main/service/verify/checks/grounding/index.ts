export { checkGrounding, createGroundingCheck, type GroundingPart, groundingParts } from "./check-grounding.ts";
