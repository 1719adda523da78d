import { Button, Modal } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type CostReport, type CostRow, formatCost, formatKnownCost } from "#contract";
import { describeError, useApi, useRpc } from "../../bridge/index.ts";
import { ErrorCard, formatCount, formatNumber, reportExport, scrollable } from "../../components/index.ts";
import classes from "./month-costs.module.css";

interface MonthCostsProps {
  /** Such as `2026-11`. */
  readonly month: string;
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

const kinds: Readonly<Record<CostRow["kind"], string>> = {
  batch: "Batch",
  trial: "Trial",
  judge: "Judge",
  direct: "Direct",
};

/** What a month cost, by day, connection, model and kind. */
export function MonthCosts({ month, title, opened, onClose }: MonthCostsProps) {
  const api = useApi();
  const rpc = useRpc();
  const report = useQuery({
    ...api.batches.costs.queryOptions({ input: { month }, enabled: opened }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const save = useMutation(
    api.exports.begin.mutationOptions({ onSuccess: (outcome) => reportExport(outcome, rpc, { unit: "row" }) }),
  );
  const failed = report.error ?? save.error;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={940}>
      {failed === null ? null : <ErrorCard title="The costs could not be read" {...describeError(failed)} />}
      {report.data === undefined ? null : <Report report={report.data} />}
      <div className={classes.foot}>
        <p className={classes.note}>Days are UTC. Reused answers cost nothing. Deleted batches are not included.</p>
        <Button
          leftSection={<IconDownload size={16} />}
          loading={save.isPending}
          disabled={!report.data?.rows.length}
          onClick={() => save.mutate({ what: "costs", month })}
        >
          Export CSV
        </Button>
      </div>
    </Modal>
  );
}

function Report({ report: { total, rows } }: { readonly report: CostReport }) {
  const unknown = rows.reduce((sum, row) => sum + row.without_price, 0);
  const answers = rows.reduce((sum, row) => sum + row.answers, 0);
  return (
    <>
      <p className={classes.total}>
        <strong>
          {answers > 0 && unknown === answers
            ? "No price known"
            : formatKnownCost({ usd: total, lines: answers, unknown, isCeiling: false })}
        </strong>{" "}
        {formatCount(answers, "answer")}
        {unknown > 0 && unknown < answers ? `, no price for ${formatNumber(unknown)}` : null}
      </p>
      <div className={classes.scroll} {...scrollable}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Day</th>
              <th>Connection</th>
              <th>Model</th>
              <th>Kind</th>
              <th data-number>Cost</th>
              <th data-number>Answers</th>
              <th data-number>Prompt tokens</th>
              <th data-number>Cached</th>
              <th data-number>Answer tokens</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={[row.day, row.connection, row.model, row.kind].join(" ")}>
                <td>{day.format(new Date(row.day))}</td>
                <td>
                  <bdi>{row.connection}</bdi>
                </td>
                <td title={row.model}>
                  <bdi>{row.model}</bdi>
                </td>
                <td>{kinds[row.kind]}</td>
                <td data-number title={describeGap(row)}>
                  {row.cost === null
                    ? "no price"
                    : `${row.without_price > 0 ? "at least " : ""}${formatCost(row.cost)}`}
                </td>
                <td data-number>{formatNumber(row.answers)}</td>
                <td data-number>{formatNumber(row.prompt_tokens)}</td>
                <td data-number>{formatNumber(row.cached_tokens)}</td>
                <td data-number>{formatNumber(row.completion_tokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function describeGap({ without_price: missing, answers }: CostRow): string | undefined {
  return missing === 0 ? undefined : `No price for ${formatNumber(missing)} of ${formatCount(answers, "answer")}`;
}
