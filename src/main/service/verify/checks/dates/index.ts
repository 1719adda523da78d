export { checkDates } from "./check-dates.ts";
