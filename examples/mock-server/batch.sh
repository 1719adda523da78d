#!/bin/sh
# A batch on the mock server, with curl. The server, in another terminal:
#   npm run -s sheaf -- serve --api-key sk-local-sheaf
url="${SHEAF_URL:-http://127.0.0.1:4747}/v1"
key="${SHEAF_API_KEY:-sk-local-sheaf}"
api() { curl --silent --show-error --fail-with-body --header "Authorization: Bearer $key" "$@"; }
field() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }

file=$(api "$url/files" --form purpose=batch --form 'file=@-;filename=batch.jsonl' <<'END' | field id
{"custom_id":"ducks","method":"POST","url":"/v1/chat/completions","body":{"model":"klusterai/Meta-Llama-3.1-8B-Instruct-Turbo","messages":[{"role":"user","content":"Ducks lay 16 eggs a day and 7 are eaten. How many are left?"}]}}
{"custom_id":"robe","method":"POST","url":"/v1/chat/completions","body":{"model":"klusterai/Meta-Llama-3.1-8B-Instruct-Turbo","messages":[{"role":"user","content":"A robe takes 2 bolts of blue fiber and half that much white. How many bolts?"}]}}
END
)
batch=$(api "$url/batches" --json "{\"input_file_id\":\"$file\",\"endpoint\":\"/v1/chat/completions\",\"completion_window\":\"24h\"}" | field id)
while status=$(api "$url/batches/$batch" | field status); do
  case $status in validating | in_progress | finalizing) sleep 0.2 ;; *) break ;; esac
done
echo "$batch is $status"
api "$url/files/$(api "$url/batches/$batch" | field output_file_id)/content"
