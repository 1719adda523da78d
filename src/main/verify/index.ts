export { createVerificationHistory } from "./verification-history.ts";
export { createVerifyDesk, type VerifyDesk } from "./verify-desk.ts";
