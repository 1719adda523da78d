import { IconAlertTriangle, IconPlayerSkipForward } from "@tabler/icons-react";
import type { ReactNode } from "react";
import {
  answerPrefix,
  findMisfit,
  listColumnNames,
  pictureColumn,
  type ResultColumnDefinition,
  type ResultRow,
  resultColumns,
  sourcePrefix,
} from "#contract";
import { BrokenSchema, ColumnPicture, type SentColumns, type TableColumn } from "../../../components/index.ts";
import { type CellOptions, columnLooks, formatterOf, lookOfColumn, type PageColumn } from "./column-looks.tsx";
import type { ColumnMeasure } from "./measure-columns.ts";
import { Answer, MarkedText, NumberText, Text, WrongField, wordsOfState } from "./result-cells.tsx";
import classes from "./result-columns.module.css";
import { orderColumns, type ResultLayout } from "./result-layout.ts";

/** A column that the table can have. */
export interface ResultColumn {
  /** As filters and sorts name it. */
  readonly id: string;
  readonly header: string;
  /** Of a copy, where nothing shows its unit; `header` unless given. */
  readonly copiedHeader?: string;
  /** What is to be known of its values. */
  readonly hint?: string;
  /** In CSS pixels; the least where it grows. */
  readonly width: number;
  /** Its share of the room that is left; 0 for a column that stays as it is. */
  readonly grow: number;
  readonly align?: "end";
  /** Whether its values say how wide it is. */
  readonly isMeasured?: true;
  /** Whether it shows that a line failed or did not run. */
  readonly showsFailure?: boolean;
  /** Where the table is narrower, it is left out of the usual columns. */
  readonly hideBelow?: number;
  /** As an icon where there is no room for words, under its whole header. */
  readonly icon?: { readonly width: number; readonly render: (row: ResultRow) => ReactNode };
  readonly render: (row: ResultRow) => ReactNode;
  /** Of a field of the answers: what stands across all of them where a row has none. */
  readonly renderWhole?: (row: ResultRow) => ReactNode;
  /** As a spreadsheet takes it. */
  readonly text: (row: ResultRow) => string;
}

export interface ResultColumnsOptions extends CellOptions {
  readonly isVerified: boolean;
  readonly isGraded: boolean;
  /** Whether prices of its answers are known. */
  readonly hasCost: boolean;
  /** Whether the time of an answer may be known; batch services don't report it. */
  readonly hasTimes?: boolean;
  /** Paths into answers that are JSON: `answer.score`. */
  readonly paths: readonly string[];
  /** Those of them that have nothing but numbers. */
  readonly numeric?: ReadonlySet<string>;
  /** How many characters the longest of these numbers has from its point on. */
  readonly decimals?: ReadonlyMap<string, number>;
  /** Columns of the table that the batch was built from. */
  readonly sources: readonly string[];
  /** The columns whose pictures are sent. */
  readonly pictures?: SentColumns;
  /** The field that is graded, and the column of the table with what was expected, by their paths; null for other grades. */
  readonly graded?: { readonly field: string; readonly expected: string } | null;
}

/** Every column that the results of a batch can be shown in. */
export function listResultColumns(options: ResultColumnsOptions): readonly ResultColumn[] {
  const { isVerified, isGraded, hasCost, hasTimes = true, paths, sources, numeric = noPaths, decimals, find } = options;
  const pictured = options.pictures?.paths ?? [];
  const has = {
    verdicts: isVerified,
    grades: isGraded,
    prices: hasCost,
    times: hasTimes,
    pictures: pictured.includes(pictureColumn),
  };
  const renderPicture = ({ line, picture = "", values }: ResultRow, path: string) =>
    options.pictures && (
      <ColumnPicture
        columns={options.pictures}
        path={path}
        line={line}
        nameOf={(column) => (column === pictureColumn ? picture : writeValue(values[column]))}
      />
    );
  const judged = (isVerified ? columnLooks.verdict.width : 0) + (isGraded ? columnLooks.grade.width : 0);
  const { custom_id, question, answer } = resultColumns;
  const ofAnswers = paths.map((path) => (path.startsWith(answerPrefix) ? path.slice(answerPrefix.length) : path));
  const headers = new Set([...[custom_id, question, answer].map(({ header }) => header), ...ofAnswers]);

  const ofSources = sources.map((source): ResultColumn => {
    const id = `${sourcePrefix}${source}`;
    const text = ({ values }: ResultRow) => writeValue(values[id]);
    const render = pictured.includes(id)
      ? (row: ResultRow) => renderPicture(row, id)
      : (row: ResultRow) => (
          <Text>
            <MarkedText text={text(row)} find={find} />
          </Text>
        );
    const header = headers.has(source) ? `${source} (table)` : source;
    return { id, header, width: 140, grow: 0.5, isMeasured: true, hideBelow: 480 + judged, render, text };
  });
  const ofFields = paths.map((id, place): ResultColumn => {
    const text = ({ values }: ResultRow) => writeValue(values[id]);
    const renderValue = (row: ResultRow) => {
      const misfit = findMisfit(row.misfits, id);
      return (
        <Text title={text(row)} misfit={misfit?.why}>
          {numeric.has(id) && find === undefined && text(row) !== "" ? (
            <NumberText written={text(row)} room={decimals?.get(id) ?? 0} />
          ) : misfit === undefined && nameEmpty(row.values[id]) !== null ? (
            <span className={classes.none}>{nameEmpty(row.values[id])}</span>
          ) : (
            <MarkedText text={text(row) === "" && misfit ? "missing" : text(row)} find={find} />
          )}
        </Text>
      );
    };
    const graded = options.graded?.field === id ? options.graded : null;
    const render = (row: ResultRow) =>
      graded !== null && row.grade === "fail" ? (
        <WrongField expected={writeValue(row.values[graded.expected])}>{renderValue(row)}</WrongField>
      ) : (
        renderValue(row)
      );
    const renderWhole = (row: ResultRow) => <Answer row={row} find={find} lacksFields />;
    const align = numeric.has(id) && ({ align: "end" } as const);
    return {
      id,
      header: ofAnswers[place] ?? id,
      width: 120,
      grow: 0.5,
      isMeasured: true,
      ...align,
      render,
      renderWhole,
      text,
    };
  });
  return listColumnNames().flatMap((id) => {
    const { needs } = resultColumns[id].page ?? {};
    if (!isOnPage(id) || (needs !== undefined && !has[needs])) return [];
    const column = toColumn(id, options, judged);
    if (id === pictureColumn) {
      return [{ ...column, render: (row) => renderPicture(row, id) }];
    }
    return id === "answer" ? [column, ...ofSources, ...ofFields] : [column];
  });
}

function isOnPage(id: string): id is PageColumn {
  return Object.hasOwn(columnLooks, id);
}

/** What an export alone has of a line. */
type ExportedMember = Exclude<NonNullable<ResultColumnDefinition["row"]>["member"], keyof ResultRow>;

/** A column that the results of every batch may have. */
function toColumn(id: PageColumn, options: CellOptions, judged: number): ResultColumn {
  const { kind, header, headerWithUnit, hint, row: { member } = {} } = resultColumns[id];
  const { grow = 0, hideBelow, render, format, values, filterFrom, ...look } = columnLooks[id];
  const readValue = (row: ResultRow & Partial<Readonly<Record<ExportedMember, string | number | null>>>) =>
    (member && row[member]) ?? null;
  const words = (value: string | number) =>
    typeof value === "number" ? formatterOf(id)(value) : lookOfColumn(id).wordOf(value);
  const renderSoftly = (row: ResultRow) => {
    const value = readValue(row);
    return value === null ? null : <span className={classes.soft}>{words(value)}</span>;
  };
  return {
    id,
    header,
    ...(headerWithUnit !== undefined && { copiedHeader: headerWithUnit }),
    ...(hint !== undefined && { hint }),
    grow,
    ...(kind !== undefined && { align: "end" as const }),
    ...(hideBelow && { hideBelow: hideBelow(judged) }),
    text: (row) => String(readValue(row) ?? ""),
    ...look,
    render: render ? (row) => render(row, options) : renderSoftly,
  };
}

/** The columns that a layout shows, of those that there are; pinned ones first. */
export function chooseColumns(
  all: readonly ResultColumn[],
  layout: ResultLayout,
  usual: readonly string[],
): readonly ResultColumn[] {
  return orderColumns(layout, usual).flatMap((id) => all.find((column) => column.id === id) ?? []);
}

/** Of the usual columns that grow, in CSS pixels: their headers can be read. */
const leastUsual = 92;

/** Of a column with long texts, in CSS pixels. */
const leastText = 170;

/** Columns of text that share what room there is; of more, each has its width. */
const mostSideBySide = 5;

/** The columns as the table draws them. */
export function layOutColumns(
  columns: readonly ResultColumn[],
  { shown, widths, pinned }: ResultLayout,
  measures: ReadonlyMap<string, ColumnMeasure> = new Map(),
): readonly TableColumn<ResultRow>[] {
  const hasWhole = columns.some(({ id }) => id === "answer");
  const firstField = hasWhole ? -1 : columns.findIndex(({ renderWhole }) => renderWhole !== undefined);
  const fields = columns.filter(({ renderWhole }) => renderWhole !== undefined);
  const hasFields = ({ values }: ResultRow) => fields.some(({ id }) => Object.hasOwn(values, id));
  const isFailureShown = firstField !== -1 || columns.some(({ showsFailure }) => showsFailure);
  const growing = columns.filter(({ grow }) => grow > 0).length;
  // The usual columns share what room there is; chosen ones have at least their width, and the table scrolls sideways.
  const isShared = shown === null && growing <= mostSideBySide && Object.keys(widths).length === 0;
  const hasText = columns.some(({ id, grow }) => measures.get(id)?.isText ?? grow > 0);
  return columns.map(({ id, header, hint, width: usualWidth, grow, align, hideBelow, icon, ...column }, place) => {
    const { renderWhole } = column;
    const render: ResultColumn["render"] =
      place === firstField && renderWhole !== undefined
        ? (row) => (hasFields(row) ? markMisfit(row, column.render(row)) : renderWhole(row))
        : column.render;
    const measure = measures.get(id);
    const width = measure?.width ?? usualWidth;
    const isPinned = pinned.includes(id);
    const own = widths[id] ?? (isPinned ? width : undefined);
    const least = isShared ? leastUsual : width;
    const unmeasured = grow > 0 ? `minmax(${least}px, ${grow}fr)` : `${width}px`;
    const track = measure === undefined ? unmeasured : trackOf(measure, align === undefined && !hasText);
    return {
      id,
      header,
      ...(hint !== undefined && { hint }),
      track: own === undefined ? track : `${own}px`,
      width: own ?? width,
      pinned: isPinned,
      ...(align && { align }),
      sortable: true,
      ...(place > firstField && firstField !== -1 && renderWhole && { isSpanned: (row: ResultRow) => !hasFields(row) }),
      render: place === 0 && !isFailureShown ? markFailure(render) : render,
      ...(shown === null && hideBelow !== undefined && icon === undefined && { hideBelow }),
      ...(shown === null &&
        hideBelow !== undefined &&
        icon !== undefined && {
          narrow: { below: hideBelow, track: `${icon.width}px`, isTight: true, render: icon.render },
        }),
    };
  });
}

/** Long texts share the room that the other columns leave; where there are none, `takesRest` has it. */
function trackOf({ width, isText }: ColumnMeasure, takesRest: boolean): string {
  if (isText) return `minmax(${leastText}px, 1fr)`;
  return takesRest ? `minmax(${width}px, ${width}fr)` : `${width}px`;
}

/** The first field of an answer that breaks the schema: the fields that break it may be out of sight. */
function markMisfit({ misfits = [] }: ResultRow, content: ReactNode): ReactNode {
  if (misfits.length === 0) return content;
  return (
    <span className={classes.answer}>
      <BrokenSchema misfits={misfits} />
      {content}
    </span>
  );
}

/** A cell that shows that its line failed or did not run, where no other cell does. */
function markFailure(render: ResultColumn["render"]): ResultColumn["render"] {
  return (row) => {
    if (row.state === "answered" || row.state === "waiting") return render(row);
    const isSkipped = row.state === "skipped";
    const Icon = isSkipped ? IconPlayerSkipForward : IconAlertTriangle;
    return (
      <span className={isSkipped ? classes.skipped : classes.failed} title={row.answer}>
        <Icon size={14} className={classes.icon} aria-label={`${wordsOfState[row.state]}:`} />
        {render(row)}
      </span>
    );
  };
}

const noPaths: ReadonlySet<string> = new Set();

/** What stands for a value that would be read as another one, or as none at all; null for any other. */
function nameEmpty(value: ResultRow["values"][string] | undefined): string | null {
  if (value === undefined) return "–";
  return value === null ? "null" : value === "" ? "empty text" : null;
}

/** A value of an answer, as text. */
function writeValue(value: ResultRow["values"][string] | undefined): string {
  return value === undefined ? "" : String(value);
}
