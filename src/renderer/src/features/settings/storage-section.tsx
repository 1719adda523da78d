import { Button, Skeleton } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deletedDays, type StorageCleanup, type StoragePart } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ConfirmDialog, ErrorCard, formatBytes } from "../../components/index.ts";
import { KeepPanel } from "./keep-panel.tsx";
import { Section } from "./section.tsx";
import classes from "./settings-page.module.css";

interface PartLook {
  readonly title: string;
  readonly about: string;
}

const looks: Record<StoragePart["name"], PartLook> = {
  files: { title: "Batch files", about: "What was sent in as the input of batches" },
  answers: { title: "Answers", about: "What batches wrote, and the indexes over it" },
  verdicts: { title: "Verdicts and grades", about: "What came of verifying and grading" },
  deleted: { title: "Deleted batches", about: `They can be restored for ${deletedDays} days, in Batches` },
  sources: { title: "Tables", about: "Files that were added in Build" },
  drafts: { title: "Drafts", about: "Batches that are being built" },
  exports: { title: "Exports", about: "Files that wait for the browser to fetch them" },
  quarantine: { title: "Quarantine", about: "What was set aside: files that no record names, and damaged bytes" },
  command_line: { title: "Command line", about: "Jobs that were begun there" },
  records: { title: "Records", about: "The journal, connections and settings" },
};

const mayBeNeeded =
  "Nothing can be removed: a damaged record may need any of these. The notice at the top shows what to do.";

interface CleanupLook {
  readonly button: string;
  readonly question: string;
  readonly lost: string;
}

const cleanups: Record<StorageCleanup, CleanupLook> = {
  deleted: {
    button: "Delete now",
    question: "Delete the deleted batches for good?",
    lost: "Their input, answers, verdicts and grades can’t be restored then.",
  },
  sources: {
    button: "Remove unused",
    question: "Remove the tables that no draft uses?",
    lost: "Batches keep their lines and answers. Batches built from such a table lose its columns in results, exports, verification and grading.",
  },
  exports: {
    button: "Remove",
    question: "Remove exports that were not fetched?",
    lost: "Exports that you have not downloaded yet are lost. Export them again. Nothing else is lost.",
  },
  quarantine: {
    button: "Empty",
    question: "Empty the quarantine?",
    lost: "These files belong to no record, but may hold answers of a batch whose record was lost. They are gone for good.",
  },
};

function isCleanup(name: StoragePart["name"]): name is StorageCleanup {
  return name in cleanups;
}

/** What takes how much of the data folder, and what can go. */
export function StorageSection() {
  const { batches, storage } = useApi();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(storage.measure.queryOptions({ staleTime: 0 }));
  const clean = useMutation(
    storage.clean.mutationOptions({
      onSuccess(report) {
        queryClient.setQueryData(storage.measure.queryKey(), report);
        void queryClient.invalidateQueries({ queryKey: batches.deleted.key() });
        setAsked(null);
      },
    }),
  );
  const [asked, setAsked] = useState<StorageCleanup | null>(null);
  // What was asked last stays in the dialog while that is closing.
  const [shown, setShown] = useState<StorageCleanup>("sources");
  const ask = (what: StorageCleanup) => {
    clean.reset();
    setShown(what);
    setAsked(what);
  };
  const removable = data?.parts.find(({ name }) => name === shown)?.removable ?? 0;

  return (
    <Section
      title="Storage"
      aside={data === undefined ? null : <span className={classes.faint}>{formatBytes(data.bytes)} in all</span>}
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton height={280} radius={10} animate={false} />
        ) : (
          <ErrorCard
            title="The data folder could not be measured"
            {...describeError(error)}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <dl className={classes.panel}>
          {data.parts.map(({ name, bytes, removable }) => (
            <div key={name} className={classes.row}>
              <dt className={classes.part}>
                <span>{looks[name].title}</span>
                <span className={classes.faint}>{looks[name].about}</span>
                {removable === null ? <span className={classes.faint}>{mayBeNeeded}</span> : null}
              </dt>
              <dd className={classes.size}>
                {isCleanup(name) && removable !== null && removable > 0 ? (
                  <Button size="xs" onClick={() => ask(name)}>
                    {cleanups[name].button}
                    {removable < bytes ? ` (${formatBytes(removable)})` : "…"}
                  </Button>
                ) : null}
                <span className={classes.bytes}>{formatBytes(bytes)}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <KeepPanel />
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={cleanups[shown].question}
        error={clean.error ? <ErrorCard title="It was not removed" {...describeError(clean.error)} /> : null}
        keep="Keep"
        confirm={`Remove ${formatBytes(removable)}`}
        isPending={clean.isPending}
        onConfirm={() => clean.mutate({ what: shown })}
      >
        {cleanups[shown].lost}
      </ConfirmDialog>
    </Section>
  );
}
