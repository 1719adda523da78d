export { ClaimList, type ClaimListProps } from "./claim-list.tsx";
export { countVerdicts, nameCheck } from "./describe-claims.ts";
export { VerdictBadge, type VerdictBadgeProps } from "./verdict-badge.tsx";
export { type AnyVerdict, lookOfVerdict, type VerdictLook } from "./verdict-look.ts";
