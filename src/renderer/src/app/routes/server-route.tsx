import { useSearch } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { RequestInspector, type RequestsHandle, ServerPage, type ServerSearch } from "../../features/server/index.ts";
import { Page } from "../shell/page.tsx";
import { useSearchChange } from "./use-search-change.ts";

/** `/server`: the server, and the inspector of its requests. */
export function ServerRoute() {
  const search = useSearch({ from: "/server" });
  const requests = useRef<RequestsHandle>(null);
  const change = useSearchChange<ServerSearch>("/server");
  const close = useCallback(() => {
    change({ request: undefined });
    requests.current?.focus();
  }, [change]);
  const { request } = search;
  return (
    <Page
      title="Server"
      inspector={
        request === undefined
          ? null
          : { label: "Request", children: <RequestInspector key={request} id={request} onClose={close} /> }
      }
    >
      <ServerPage search={search} onSearch={change} requests={requests} />
    </Page>
  );
}
