export { ClaimList, type ClaimListProps } from "./claim-list.tsx";
export {
  type MarkTone,
  markSource,
  nameKind,
  nameSource,
  type ToneMark,
  toneOfEvidence,
} from "./describe-claims.ts";
export { JudgeFields, type JudgeFieldsProps, nameJudge } from "./judge-fields.tsx";
export { canBeAsked, JudgeModelFields, mockProblem, useJudgePlaces } from "./judge-model.tsx";
export { MarkedText, type MarkedTextProps, markClass } from "./marked-text.tsx";
export {
  AgreementBadge,
  announceVerdict,
  CountsBadge,
  FormBadge,
  lookOfAgreement,
  lookOfForm,
  lookOfVerdict,
  ResponseCounts,
  VerdictBadge,
  type VerdictBadgeProps,
  type VerdictLook,
} from "./verdict-badge.tsx";
