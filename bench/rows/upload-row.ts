import { z } from "zod";
import { createJob, type Question } from "../job.ts";
import { connectLeanClient, writeRequest } from "../lean-client.ts";
import type { Contestant, Row } from "../measure.ts";
import type { Server } from "../servers.ts";
import { requireText, timeWork } from "../time-requests.ts";

export const filesPath = "/v1/files";

/** The peer refuses files over 10 MB. */
export const uploadedBytes = 9_000_000;
const fileSchema = z.object({ id: z.string() });

/** A batch file of 9 MB; the answer is awaited, and the file is removed before the next. */
export async function createUploadRow(servers: readonly Server[], questions: readonly Question[]): Promise<Row> {
  const upload = writeUpload(fillFile(createJob(questions).content));
  return {
    title: "Upload of 9 MB",
    asRate: false,
    contestants: await Promise.all(servers.map((server) => createUploader(server, upload))),
  };
}

interface Upload {
  readonly contentType: string;
  readonly body: Buffer;
}

async function createUploader(server: Server, { contentType, body }: Upload): Promise<Contestant> {
  const authorization = `Bearer ${server.apiKey}`;
  const client = await connectLeanClient(server.url, 1);
  const requests = [writeRequest("POST", filesPath, { authorization, "content-type": contentType }, body)];
  const isWhole = requireText(`"bytes":${uploadedBytes}`);
  return {
    name: server.name,
    async run() {
      let id = "";
      const sample = await timeWork(server, () =>
        client.send(requests, (answer) => {
          isWhole(answer);
          id = fileSchema.parse(JSON.parse(answer.body.toString())).id;
        }),
      );
      await fetch(`${server.url}${filesPath}/${id}`, { method: "DELETE", headers: { authorization } });
      return sample;
    },
    close: () => client.close(),
  };
}

/** The lines over and over, and the last one filled up with spaces, which JSON allows. */
function fillFile(lines: string): Buffer {
  const whole = Buffer.from(lines.repeat(Math.ceil(uploadedBytes / lines.length) + 1)).subarray(0, uploadedBytes);
  const end = whole.lastIndexOf("\n");
  return Buffer.from(whole)
    .fill(" ", end, uploadedBytes - 1)
    .fill("\n", uploadedBytes - 1);
}

/** The form that clients send. */
function writeUpload(content: Buffer): Upload {
  const boundary = "----sheaf-bench-5f1d0c";
  const part = (name: string, more: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part("purpose", "")}batch\r\n`),
    Buffer.from(part("file", '; filename="batch.jsonl"\r\ncontent-type: application/octet-stream')),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}
