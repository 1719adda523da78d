export { formatBytes, formatCost, formatCount, formatKnownCost, formatNumber } from "#contract";
export { type AnswerDifference, AnswerFormChoice, AnswerText, type AnswerTextProps } from "./answer/answer-text.tsx";
export { AnsweredBy, MockMark } from "./answered-by.tsx";
export { Boundary, type BoundaryProps } from "./boundary.tsx";
export { BrokenSchema } from "./broken-schema.tsx";
export * from "./claims/index.ts";
export { CodeMirror, type CodeMirrorProps } from "./code-mirror/code-mirror.tsx";
export { withPlainBreaks } from "./code-mirror/minimal-change.ts";
export { ConditionForm, type ConditionFormProps, describeCondition } from "./conditions.tsx";
export { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog.tsx";
export { CopyButton, type CopyButtonProps } from "./copy-button.tsx";
export { CutName, type CutNameProps, ModelNames } from "./cut-name.tsx";
export { EmptyState, type EmptyStateProps } from "./empty-state.tsx";
export { ErrorCard, type ErrorCardProps } from "./error-card.tsx";
export * from "./figure-table/index.ts";
export { FindSteps, type FindStepsProps } from "./find/find-steps.tsx";
export { type Find, useFind } from "./find/use-find.ts";
export {
  formatClock,
  formatCompact,
  formatDuration,
  formatExactTime,
  formatLatency,
  formatPart,
  formatRate,
  formatRelativeTime,
  formatShare,
  formatTimeLeft,
  roundLatency,
} from "./format.ts";
export { GradeBadge, type GradeBadgeProps, lookOfGrade } from "./grade-badge.tsx";
export { HeadButton, type HeadButtonProps } from "./head-button.tsx";
export { IconAction, type IconActionProps } from "./icon-action.tsx";
export {
  InspectorBody,
  type InspectorBodyProps,
  InspectorHead,
  type InspectorHeadProps,
  PendingLine,
} from "./inspector-frame.tsx";
export { JsonView, type JsonViewProps } from "./json/json-view.tsx";
export { type JsonField, splitFields } from "./json/read-json.ts";
export { altKey, formatKeys, modKey, scrollable } from "./keyboard.ts";
export { LongTextField, type LongTextFieldHandle } from "./long-text-field.tsx";
export { MarkdownText } from "./markdown/markdown.tsx";
export type { MarkdownTextProps } from "./markdown/markdown-text.tsx";
export { copyText, showFailure, showOffer } from "./messages.tsx";
export { ModelPicker, type ModelPickerProps, SuggestionField } from "./model-picker.tsx";
export { ColumnPicture, type ColumnPictureProps, type SentColumns } from "./pictures/column-picture.tsx";
export { listPictures, SentPicture } from "./pictures/sent-picture.tsx";
export { ProgressBar, type ProgressBarProps } from "./progress-bar.tsx";
export { ClockAhead, RelativeTime, useNow } from "./relative-time.tsx";
export { reportExport } from "./report-export.tsx";
export { SearchField, type SearchFieldProps } from "./search-field.tsx";
export { findSharedStart, leaveOutStart, useSharedStart } from "./shared-start.ts";
export { letterOf, SideLetter, type SideLetterProps } from "./side-letter.tsx";
export { Sparkline, type SparklineProps } from "./sparkline.tsx";
export { takeDropped } from "./take-dropped.ts";
export { unbrokenProps } from "./unbroken.ts";
export { useConfirmPaid } from "./use-confirm-paid.tsx";
export * from "./virtual-table/index.ts";
