import { useQuery } from "@tanstack/react-query";
import type { LoggedRequest } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import { CopyButton, ErrorCard, InspectorBody, InspectorHead, JsonView } from "../../components/index.ts";
import classes from "./request-inspector.module.css";
import { addressOf, describeOutcome, ruleOf } from "./request-rows.ts";

/** One request in full: what was sent and what it was answered with, without its keys. */
export function RequestInspector({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const api = useApi();
  const { data, error } = useQuery(
    api.server.request.queryOptions({ input: { id }, staleTime: Number.POSITIVE_INFINITY, retry: false }),
  );
  return (
    <>
      <InspectorHead of="Request" title="Request" id={{ value: id, copy: "Copy the request id" }} onClose={onClose} />
      <InspectorBody>
        {error !== null ? (
          <ErrorCard title="The request can’t be shown" {...describeError(error)} />
        ) : data === undefined ? null : (
          <Whole request={data} />
        )}
      </InspectorBody>
    </>
  );
}

function Whole({ request }: { readonly request: LoggedRequest }) {
  const { method, headers, body, body_dropped: isDropped, response, rule, scope } = request;
  return (
    <>
      <p className={classes.line} dir="auto">
        <code>
          {method} {addressOf(request)}
        </code>
      </p>
      <p className={classes.about}>
        {describeOutcome(request)}
        {rule === null ? "" : `, by ${ruleOf(request)}`}
        {scope === "default" ? "" : `, in the scope ${scope}`}. Keys are masked.
      </p>
      <Part title="Request headers">
        <Headers headers={headers} />
      </Part>
      <Part title="Request body">
        <Body value={body} label="Request body" none={isDropped ? "None, or no longer kept." : "None."} />
      </Part>
      <Part title="Response headers">
        <Headers headers={response.headers} />
      </Part>
      <Part title="Response body">
        <Body
          value={response.body}
          label="Response body"
          none={isDropped ? "None, a file, or no longer kept." : "None, or a file."}
        />
      </Part>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div className={classes.part}>
      <h3 className={classes.partTitle}>{title}</h3>
      {children}
    </div>
  );
}

function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <dl className={classes.headers}>
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Body({ value, label, none }: { readonly value: unknown; readonly label: string; readonly none: string }) {
  if (value === null || value === undefined) return <p className={classes.about}>{none}</p>;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <>
      <div className={classes.copy}>
        <CopyButton compact label={`Copy the ${label.toLowerCase()}`} value={text} />
      </div>
      <JsonView text={text} label={label} />
    </>
  );
}
