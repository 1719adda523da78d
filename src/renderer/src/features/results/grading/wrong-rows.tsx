import { Button, Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ResultFilter } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ErrorCard, formatNumber } from "../../../components/index.ts";
import { useResults } from "../results-context.tsx";
import classes from "./grades-tab.module.css";

/** Rows that are shown at a time. */
const shownRows = 5;

export interface WrongRowsProps {
  readonly title: string;
  /** How many rows there are. */
  readonly count: number;
  readonly filter: ResultFilter;
}

/** Some rows that a filter leaves, with what was asked. */
export function WrongRows({ title, count, filter }: WrongRowsProps) {
  const { batchId, merged, onShow } = useResults();
  const [from, setFrom] = useState(0);
  const { data, error, refetch } = useQuery(
    useApi().results.page.queryOptions({
      input: { batchId, filter, offset: from, limit: shownRows, ...(merged && { merged }) },
      staleTime: 2_000,
      placeholderData: keepPreviousData,
    }),
  );
  if (error) {
    return <ErrorCard title="The rows could not be read" {...describeError(error)} onRetry={() => void refetch()} />;
  }
  return (
    <section className={classes.rows} aria-label={`Rows: ${title}`}>
      <header>
        <h2 dir="auto">{title}</h2>
        <span className={classes.soft}>
          {formatNumber(from + 1)} to {formatNumber(Math.min(count, from + shownRows))} of {formatNumber(count)}
        </span>
        <Button size="xs" variant="subtle" onClick={() => onShow(filter)}>
          Open {formatNumber(count)}
        </Button>
      </header>
      {data === undefined ? (
        <Skeleton height={120} m={12} />
      ) : (
        <ol>
          {data.rows.map(({ line, customId, question, answer }) => (
            <li key={line}>
              <span className={classes.line}>
                {formatNumber(line)}
                <code title={customId}>{customId}</code>
              </span>
              <span className={classes.text} dir="auto" title={question}>
                {question}
              </span>
              <span className={classes.text} data-answer dir="auto" title={answer ?? ""}>
                {answer}
              </span>
            </li>
          ))}
        </ol>
      )}
      {count <= shownRows ? null : (
        <footer>
          <Button
            size="xs"
            variant="subtle"
            onClick={() => setFrom((now) => (now + shownRows >= count ? 0 : now + shownRows))}
          >
            {from + shownRows >= count ? "First 5" : "Next 5"}
          </Button>
        </footer>
      )}
    </section>
  );
}
