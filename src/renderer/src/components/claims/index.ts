export { ClaimList, type ClaimListProps } from "./claim-list.tsx";
export { countVerdicts, nameCheck } from "./describe-claims.ts";
export {
  type AnyVerdict,
  lookOfVerdict,
  VerdictBadge,
  type VerdictBadgeProps,
  type VerdictLook,
} from "./verdict-badge.tsx";
