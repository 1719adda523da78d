export { ClaimList, type ClaimListProps } from "./claim-list.tsx";
export { countVerdicts, nameCheck } from "./describe-claims.ts";
