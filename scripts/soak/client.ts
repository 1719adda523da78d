interface CallOptions {
  readonly apiKey?: string;
  /** True where the port will be another server's soon. */
  readonly closes?: boolean;
}

/** Calls the service's API with a form, or with what is sent as JSON. */
export async function callApi(
  url: string,
  method: string,
  body?: FormData | object,
  { apiKey, closes = false }: CallOptions = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  const headers = {
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(body !== undefined && !isForm && { "content-type": "application/json" }),
    ...(closes && { connection: "close" }),
  };
  const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
  return await fetch(url, { method, headers, ...sent });
}

/** The upload of a batch input file. */
export function uploadOf(input: Uint8Array, filename: string): FormData {
  const form = new FormData();
  form.set("purpose", "batch");
  form.set("file", new File([Uint8Array.from(input)], filename));
  return form;
}
