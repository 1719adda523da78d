import { Button } from "@mantine/core";
import { useStore } from "zustand";
import { formatCount, formatNumber, type Source } from "#contract";
import { useSession } from "../draft/draft-session.ts";
import classes from "./source.module.css";

/** Asks about rows that may be read otherwise: a first row that may be data, rows below the header that are left out. */
export function HeaderQuestion({ source }: { readonly source: Source }) {
  const { layout } = useSession();
  const isReading = useStore(layout.isReading);
  const { csv, notes } = source;
  if (csv === null || isReading) return null;
  const { header, skip } = csv;
  const set = (rows: { readonly header: number | null; readonly skip: number }) =>
    layout.set(source, { csv: { ...csv, ...rows } });
  const isDoubtful = notes.doubts.includes("header");
  return (
    <>
      {!isDoubtful ? null : header === null ? (
        <Question
          text="First row is data"
          action="It is a header"
          onChange={() => set({ header: skip + 1, skip: 0 })}
        />
      ) : (
        <Question
          text={header === 1 ? "First row is a header" : `Row ${formatNumber(header)} is a header`}
          action="No, it is data"
          onChange={() => set({ header: null, skip: header - 1 })}
        />
      )}
      {header === null || skip === 0 ? null : (
        <Question
          text={`${formatCount(skip, "row")} below the header ${skip === 1 ? "is" : "are"} left out`}
          action={skip === 1 ? "Keep it" : "Keep them"}
          onChange={() => set({ header, skip: 0 })}
        />
      )}
    </>
  );
}

interface QuestionProps {
  readonly text: string;
  readonly action: string;
  readonly onChange: () => void;
}

function Question({ text, action, onChange }: QuestionProps) {
  return (
    <div className={classes.question} role="status">
      <span>{text}</span>
      <span aria-hidden>·</span>
      <Button size="compact-xs" variant="subtle" onClick={onChange}>
        {action}
      </Button>
    </div>
  );
}
