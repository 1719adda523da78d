import { IconFileCheck } from "@tabler/icons-react";
import { EmptyState } from "../../../components/index.ts";

/** Stands in place of the prompt when the file holds requests already. */
export function ReadyRequests() {
  return (
    <EmptyState icon={<IconFileCheck size={26} stroke={1.5} />} title="This file holds requests already">
      Every line is a request of its own, with its model and its messages. They are checked here and sent as they are.
    </EmptyState>
  );
}
