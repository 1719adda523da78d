export { VerdictBadge, type VerdictBadgeProps } from "./verdict-badge.tsx";
export { type AnyVerdict, lookOfVerdict, type VerdictLook } from "./verdict-look.ts";
