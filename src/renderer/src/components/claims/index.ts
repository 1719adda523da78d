export { ClaimList, type ClaimListProps } from "./claim-list.tsx";
export { countVerdicts, nameCheck, nameSource } from "./describe-claims.ts";
