import { notifications } from "@mantine/notifications";
import { useSession } from "../draft/session-context.ts";
import { explainUnreadable } from "./readable-files.ts";

/** Takes files from wherever they come: the first becomes the draft's source. */
export function useTakeFile(): (files: readonly File[]) => void {
  const { upload } = useSession();
  return (files) => {
    const [file, ...others] = files;
    if (file === undefined) return;
    const reason = explainUnreadable(file);
    if (reason !== null) {
      notifications.show({ color: "red", title: "Not a table that can be read", message: reason, autoClose: 10_000 });
      return;
    }
    if (others.length > 0) {
      notifications.show({ message: `A batch has one source: ${file.name} was taken, the other files were not.` });
    }
    upload.start(file);
  };
}
