import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { PictureColumn } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { formatCount } from "../../../components/index.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { createBuildQueries } from "../queries.ts";
import classes from "./pictures.module.css";

interface PicturesProps {
  readonly sourceId: string;
  readonly column: string;
  /** The name of the message that they go with. */
  readonly message: string;
}

/** Which pictures go with a message. Those of this computer are sent when their folder has been allowed. */
export function Pictures({ sourceId, column, message }: PicturesProps) {
  const { store } = useSession();
  const allowed = useContent((content) => content.pictureFolders);
  const { data, isPlaceholderData } = useQuery({
    ...createBuildQueries(useApi()).pictures({ sourceId, column, pictureFolders: [...allowed] }),
    placeholderData: keepPreviousData,
  });
  if (data === undefined) return null;
  if (data.files === 0) {
    return data.addresses === 0 ? null : (
      <p className={classes.note}>The service fetches {formatCount(data.addresses, "picture")} from their addresses.</p>
    );
  }
  const wanted = data.folders.filter(({ isAllowed }) => !isAllowed);
  const files = formatCount(data.files, "picture");
  return (
    <section className={classes.root} data-asks={wanted.length > 0 || undefined} aria-label={`Pictures of ${message}`}>
      {data.first === null ? null : <First {...data.first} />}
      <div className={classes.text}>
        {wanted.length === 0 ? (
          <p>
            {files} of this computer {data.files === 1 ? "is" : "are"} read and sent with the requests.{" "}
            <Button
              size="compact-xs"
              variant="subtle"
              disabled={isPlaceholderData}
              onClick={() => store.edit({ pictureFolders: [] })}
            >
              Don’t send
            </Button>
          </p>
        ) : (
          <>
            <p>
              “{column}” names {files} of this computer. They are read and sent to the model only if you allow it; so
              far the first one was read, to show it here.
            </p>
            <ul className={classes.folders}>
              {wanted.map(({ path, files }) => (
                <li key={path}>
                  <span>
                    <code>{path}</code> and folders below it, {formatCount(files, "picture")}
                  </span>
                  <Button
                    size="xs"
                    disabled={isPlaceholderData}
                    aria-label={`Send pictures from this computer: ${path}`}
                    onClick={() => store.edit({ pictureFolders: [...allowed, path] })}
                  >
                    Send pictures from this computer
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

function First({ path, url, problem }: NonNullable<PictureColumn["first"]>) {
  if (url === null) return <p className={classes.problem}>{problem}</p>;
  return <img className={classes.picture} src={url} alt={`The first of them: ${path}`} title={path} />;
}
