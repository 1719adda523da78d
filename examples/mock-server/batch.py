"""A batch on the mock server, with Python's standard library alone. The server, in another terminal:

    npm run -s sheaf -- serve --api-key sk-local-sheaf
"""

import json
import os
import time
import urllib.request

URL = os.environ.get("SHEAF_URL", "http://127.0.0.1:4747") + "/v1"
KEY = os.environ.get("SHEAF_API_KEY", "sk-local-sheaf")
MODEL = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo"


def call(path, body=None, content_type="application/json"):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": content_type}
    with urllib.request.urlopen(urllib.request.Request(URL + path, body, headers)) as response:
        return response.read()


def upload(lines):
    content = "\n".join(json.dumps(line) for line in lines)
    head = '--sheaf\r\nContent-Disposition: form-data; name='
    form = (
        f'{head}"purpose"\r\n\r\nbatch\r\n'
        f'{head}"file"; filename="batch.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n{content}\r\n--sheaf--\r\n'
    )
    return json.loads(call("/files", form.encode(), "multipart/form-data; boundary=sheaf"))["id"]


questions = {
    "ducks": "Ducks lay 16 eggs a day and 7 are eaten. How many are left?",
    "robe": "A robe takes 2 bolts of blue fiber and half that much white. How many bolts?",
}
file_id = upload(
    {
        "custom_id": custom_id,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": MODEL, "messages": [{"role": "user", "content": question}]},
    }
    for custom_id, question in questions.items()
)
order = {"input_file_id": file_id, "endpoint": "/v1/chat/completions", "completion_window": "24h"}
batch = json.loads(call("/batches", json.dumps(order).encode()))
while batch["status"] in ("validating", "in_progress", "finalizing"):
    time.sleep(0.2)
    batch = json.loads(call(f"/batches/{batch['id']}"))

print(f"{batch['id']} is {batch['status']}")
for line in call(f"/files/{batch['output_file_id']}/content").decode().splitlines():
    answer = json.loads(line)
    print(f"{answer['custom_id']}: {answer['response']['body']['choices'][0]['message']['content']}")
