import { type ChatMessage, type ContentPart, chatMessageSchema } from "#contract";
import { scrollable, unbrokenProps } from "../../../components/index.ts";
import classes from "./conversation.module.css";

interface ConversationProps {
  readonly request: string;
  readonly label: string;
  /** It is that of an earlier prompt. */
  readonly isOld: boolean;
}

/** The messages of a request, turn by turn. */
export function Conversation({ request, label, isOld }: ConversationProps) {
  const { customId, messages } = readRequest(request);
  if (messages === null) return <p className={classes.note}>This line has no messages that can be read.</p>;
  let turn = 0;
  return (
    <ol className={classes.root} aria-label={label} data-old={isOld || undefined} {...scrollable}>
      {customId === null ? null : <li className={classes.id}>{customId}</li>}
      {messages.map(({ role, content }) => {
        turn += 1;
        return (
          <li key={turn}>
            <div className={classes.role}>{role}</div>
            <Content content={content} />
          </li>
        );
      })}
    </ol>
  );
}

function Content({ content }: Pick<ChatMessage, "content">) {
  if (content === null || content === undefined) return <p className={classes.note}>No text</p>;
  const parts: readonly ContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  let place = 0;
  return parts.map((part) => {
    place += 1;
    return <Part key={place} part={part} />;
  });
}

/** Text and pictures as they are; what else there is by its name. The page loads nothing from elsewhere: an address is named. */
function Part({ part }: { readonly part: ContentPart }) {
  if (part.type === "text") {
    return (
      <div className={classes.text} dir="auto" {...unbrokenProps(part.text)}>
        {part.text}
      </div>
    );
  }
  if (part.type !== "image_url") return <div className={classes.other}>With {part.type.replace("_", " ")}</div>;
  const { url } = part.image_url;
  if (!url.startsWith("data:")) return <div className={classes.other}>Picture at {url}</div>;
  return <img className={classes.image} src={url} alt="Sent with the message" />;
}

/** The parts are null for a line that is not one, or lacks them. */
function readRequest(text: string): { customId: string | null; messages: readonly ChatMessage[] | null } {
  try {
    const line = JSON.parse(text) as { custom_id?: unknown; body?: { messages?: unknown } } | null;
    const messages = chatMessageSchema.array().safeParse(line?.body?.messages).data ?? null;
    return { customId: typeof line?.custom_id === "string" ? line.custom_id : null, messages };
  } catch {
    return { customId: null, messages: null };
  }
}
