import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Verification } from "#contract";
import { useApi } from "../../bridge/index.ts";
import { CopyButton, JsonView, scrollable } from "../../components/index.ts";
import classes from "./raw-view.module.css";
import { toInput, toTexts } from "./texts.ts";
import { createVerifyQueries } from "./use-verification.ts";
import { useVerifyDraft } from "./verify-draft.ts";
import { writeAnswer, writeCall, writeCurl } from "./write-call.ts";

interface RawViewProps {
  /** Whose call and answer are shown; without one, the call that the texts would make. */
  readonly verification: Verification | null;
  readonly onOpenServer: () => void;
}

/** The same verification through the MCP endpoint: the call, the answer, and the call as a curl command. */
export function RawView({ verification, onOpenServer }: RawViewProps) {
  const draft = useVerifyDraft((state) => state.texts);
  const draftStrict = useVerifyDraft((state) => state.strict);
  const draftForm = useVerifyDraft((state) => state.form);
  const { data: view } = useQuery(createVerifyQueries(useApi()).server());
  const input = useMemo(
    () =>
      verification === null
        ? toInput(draft, draftStrict, draftForm)
        : toInput(toTexts(verification), verification.strict, verification.form),
    [verification, draft, draftStrict, draftForm],
  );
  const call = useMemo(() => JSON.stringify(writeCall(input), null, 2), [input]);
  const answer = useMemo(
    () =>
      verification === null || verification.isEarlier
        ? null
        : JSON.stringify(writeAnswer(verification.result), null, 2),
    [verification],
  );
  const isReachable = view?.server.running === true && view.mcp.enabled;
  const byModel = verification !== null && verification.choice.judge !== "rules";
  return (
    <div className={classes.root}>
      <p className={classes.about}>
        The same through the MCP endpoint, as JSON-RPC.{" "}
        {byModel ? "The endpoint judges by the rules alone; a model had a part in this answer. " : null}
        {view === undefined || isReachable ? null : (
          <>
            The endpoint is off now:{" "}
            <Anchor component="button" type="button" className={classes.link} onClick={onOpenServer}>
              turn it on in Server
            </Anchor>
            .
          </>
        )}
      </p>
      <RawCard title="Call" text={call} />
      {answer === null ? null : <RawCard title="Answer" text={answer} />}
      {view === undefined ? null : <RawCard title="As curl" text={writeCurl(input, view.mcp.url)} isCode />}
    </div>
  );
}

interface RawCardProps {
  readonly title: string;
  readonly text: string;
  /** A command rather than JSON. */
  readonly isCode?: boolean;
}

function RawCard({ title, text, isCode = false }: RawCardProps) {
  return (
    <div className={classes.card}>
      <div className={classes.head}>
        <h3 className={classes.title}>{title}</h3>
        <CopyButton value={text} label={`Copy ${isCode ? "command" : title.toLowerCase()}`} compact />
      </div>
      <div className={classes.body} {...scrollable}>
        {isCode ? <pre className={classes.code}>{text}</pre> : <JsonView text={text} label={title} />}
      </div>
    </div>
  );
}
