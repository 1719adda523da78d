export { ClaimList, type ClaimListProps } from "./claim-list.tsx";
export { countVerdicts, nameKind } from "./describe-claims.ts";
export { lookOfVerdict, VerdictBadge, type VerdictBadgeProps, type VerdictLook } from "./verdict-badge.tsx";
