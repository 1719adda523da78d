import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ExampleName, OpenedFile, RequestTemplate } from "#contract";
import { useBridge, useRpc } from "../bridge/index.ts";
import { showFailure } from "../components/index.ts";
import { examples, explainUnreadable, getDraftSessions, openEmptyDraft } from "../features/build/index.ts";
import { newDraftInput } from "../state/default-connection.ts";

/** Opens Build with an empty draft: the latest one, if nothing has been done with it yet, else a new one. */
export function useNewBatch() {
  const bridge = useBridge();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const [latest] = await bridge.rpc.drafts.list();
      return openEmptyDraft(bridge, latest);
    },
    onSuccess: ({ id }) => navigate({ to: "/build/{-$draftId}", params: { draftId: id } }),
    onError: (error) => showFailure("The draft could not be made", error),
  });
  return { open: () => mutate(), isOpening: isPending };
}

/** Makes a draft of a shipped example and opens it in Build, ready to be submitted. */
export function useExampleDraft() {
  const rpc = useRpc();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: async (example: ExampleName) => {
      const source = await rpc.sources.example({ name: example });
      const { name, ...template } = examples[example];
      const { updatedAt: _, ...draft } = await rpc.drafts.create({ name, ...newDraftInput() });
      return rpc.drafts.save({ ...draft, sourceId: source.id, template: { ...draft.template, ...template } });
    },
    onSuccess: ({ id }) => navigate({ to: "/build/{-$draftId}", params: { draftId: id } }),
    onError: (error) => showFailure("The example could not be opened", error),
  });
  return { open: (example: ExampleName = "gsm8k-200") => mutate(example), isOpening: isPending };
}

/** Makes a draft with a prompt, and opens it in Build: a source is what it still needs. */
export function useDraftOfPrompt() {
  const rpc = useRpc();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: async (template: Partial<RequestTemplate>) => {
      const { updatedAt: _, ...draft } = await rpc.drafts.create({ connectionId: template.connectionId ?? null });
      return rpc.drafts.save({ ...draft, template: { ...draft.template, ...template } });
    },
    onSuccess: ({ id }) => navigate({ to: "/build/{-$draftId}", params: { draftId: id } }),
    onError: (error) => showFailure("The draft could not be made", error),
  });
  return { open: (template: Partial<RequestTemplate>) => mutate(template), isOpening: isPending };
}

/** Makes a draft of each file that the system opened, and opens the first of them. The draft that is open stays as it is. */
export function useOpenedFiles() {
  const bridge = useBridge();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (files: readonly OpenedFile[]) => {
    const ids: string[] = [];
    for (const file of files) {
      const reason = explainUnreadable({ name: file.name, size: file.bytes });
      if (reason !== null) {
        showFailure(`${file.name} can’t be opened`, reason);
        continue;
      }
      const { id } = await bridge.rpc.drafts.create(newDraftInput());
      ids.push(id);
      (await getDraftSessions(bridge, queryClient).load(id)).upload.open(file);
    }
    const [first] = ids;
    if (first === undefined) return;
    if (ids.length > 1) notifications.show({ message: `${ids.length} files were opened, each in a draft of its own.` });
    await navigate({ to: "/build/{-$draftId}", params: { draftId: first } });
  };
}
