import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import type { ExportOutcome, Source } from "#contract";
import { deliverExport, useRpc } from "../../../bridge/index.ts";
import { formatCount } from "../../../components/index.ts";
import { toRequestTemplate } from "../draft/draft-content.ts";
import { showName } from "../draft/draft-name.ts";
import { useSession } from "../draft/session-context.ts";
import { showFailure } from "../draft/use-drafts.ts";

/** Writes the requests of the draft to a file of the user's choice. */
export function useExport() {
  const { store } = useSession();
  const rpc = useRpc();
  return useMutation({
    mutationFn(source: Source) {
      const content = store.content.getState();
      return rpc.exports.begin({
        what: "input",
        build: { sourceId: source.id, template: toRequestTemplate(content) },
        name: showName(content.name),
      });
    },
    onSuccess: showOutcome,
    onError: (error) => showFailure("The requests could not be exported", error),
  });
}

function showOutcome(outcome: ExportOutcome): void {
  if (outcome.how === "saved") {
    notifications.show({ title: `${formatCount(outcome.lines, "request")} exported`, message: outcome.path });
  }
  deliverExport(outcome, document);
}
