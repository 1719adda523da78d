import type { FindingView } from "#contract";

/** What was found, in two or three words. */
export const findingTitles: Readonly<Record<FindingView["kind"], string>> = {
  journal_line_damaged: "Damaged journal line",
  journal_tail_lost: "Unreadable journal end",
  journal_replaced: "Replaced journal",
  journal_lost: "Lost journal",
  damage_unconfirmed: "Unconfirmed damage",
  file_missing: "Missing file",
  file_damaged: "Damaged file",
  answer_damaged: "Damaged answers",
  ledger_damaged: "Damaged answer ledger",
  ledger_replaced: "Missing answer ledger",
  settings_damaged: "Damaged settings",
  record_damaged: "Damaged record",
  table_damaged: "Damaged table",
  lines_damaged: "Damaged lines",
  index_damaged: "Outdated index",
  column_damaged: "Outdated column",
  not_a_file: "Not a file",
  file_unknown: "Unknown file",
  half_written: "Half-written file",
};
