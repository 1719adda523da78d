export * from "./claims/index.ts";
export * from "./code-mirror/index.ts";
export { CopyButton, type CopyButtonProps } from "./copy-button.tsx";
export { EmptyState, type EmptyStateProps } from "./empty-state.tsx";
export { ErrorCard, type ErrorCardProps } from "./error-card.tsx";
export {
  formatBytes,
  formatClock,
  formatCompact,
  formatCount,
  formatDuration,
  formatExactTime,
  formatLatency,
  formatNumber,
  formatPart,
  formatRate,
  formatRelativeTime,
  formatShare,
  formatTimeLeft,
} from "./format.ts";
export { IconAction, type IconActionProps } from "./icon-action.tsx";
export { JsonView, type JsonViewProps } from "./json-view.tsx";
export { modKey } from "./mod-key.ts";
export { shortModelName } from "./model-name.ts";
export { ProgressBar, type ProgressBarProps } from "./progress-bar.tsx";
export { RelativeTime } from "./relative-time.tsx";
export { scrollable } from "./scrollable.ts";
export { Sparkline, type SparklineProps } from "./sparkline.tsx";
export { useNow } from "./use-now.ts";
export * from "./virtual-table/index.ts";
