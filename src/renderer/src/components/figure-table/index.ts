export { type FigureColumn, FigureTable, type FigureTableProps } from "./figure-table.tsx";
export { IntervalMark, type IntervalMarkProps, ScaleHead, type ShareScale, scaleOf } from "./interval-mark.tsx";
