import { Modal, Skeleton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { foldText } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { ErrorCard, formatCount } from "../../components/index.ts";
import classes from "./about.module.css";

interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The packages whose code is in the app, each with its licence in full. */
export function LicensesDialog({ opened, onClose }: DialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Licences" size={720}>
      <Licenses />
    </Modal>
  );
}

function Licenses() {
  const { app } = useApi();
  const { data, error, refetch } = useQuery(app.licenses.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const [query, setQuery] = useState("");
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={320} radius={8} animate={false} />
    ) : (
      <ErrorCard title="The licences could not be read" {...describeError(error)} onRetry={() => void refetch()} />
    );
  }
  const wanted = foldText(query.trim());
  const shown = data.filter(({ name, license }) => foldText(`${name} ${license}`).includes(wanted));
  return (
    <div className={classes.dialog}>
      <p className={classes.lead}>
        Sheaf is under the MIT licence. The code of {formatCount(data.length, "package")} is part of it. Electron and
        Chromium bring theirs as files beside the desktop app.
      </p>
      <TextInput
        aria-label="Search packages and licences"
        placeholder="Package or licence"
        leftSection={<IconSearch size={15} stroke={1.8} />}
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        data-autofocus
      />
      <ul className={classes.packages} aria-label="Packages">
        {shown.map(({ name, version, license, text }) => (
          <li key={`${name} ${version}`}>
            <details className={classes.package}>
              <summary>
                <strong>{name}</strong> {version} <span className={classes.license}>{license}</span>
              </summary>
              <p className={classes.licenseText}>
                {text || `The package comes without the text of its licence, ${license}.`}
              </p>
            </details>
          </li>
        ))}
      </ul>
      <p role="status" className={classes.lead}>
        {wanted === "" ? "" : `${formatCount(shown.length, "package")} found`}
      </p>
    </div>
  );
}
