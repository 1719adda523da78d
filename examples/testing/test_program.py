"""Testing a program against the mock server from Python, with nothing but its standard library.

Run it with: python -m unittest test_program.py, or with pytest
"""

import json
import os
import signal
import subprocess
import unittest
import urllib.error
import urllib.request
import uuid

# Where npm has installed it for the project; `npx --no-install sheaf` finds it there.
COMMAND = os.environ.get("SHEAF", "npx --no-install sheaf").split()


class Sheaf:
    """A scope of a server: rules, faults, files and requests of its own."""

    def __init__(self, url, key):
        self.url, self.key = f"{url}/scope/{uuid.uuid4()}", key
        self.base_url = f"{self.url}/v1"

    def call(self, method, path, body=None):
        headers = {"authorization": f"Bearer {self.key}", "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)


def ask(sheaf, question):
    """The program under test."""
    body = {"model": "deepseek-ai/DeepSeek-R1", "messages": [{"role": "user", "content": question}]}
    return sheaf.call("POST", "/v1/chat/completions", body)["choices"][0]["message"]["content"]


class ProgramTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        flags = ["serve", "--json", "--port", "0", "--ephemeral", "--pace", "instant", "--no-rate-limit"]
        cls.process = subprocess.Popen(COMMAND + flags, stdout=subprocess.PIPE, text=True)
        cls.server = json.loads(cls.process.stdout.readline())

    @classmethod
    def tearDownClass(cls):
        os.kill(cls.server["pid"], signal.SIGTERM)
        cls.process.wait()
        cls.process.stdout.close()

    def setUp(self):
        self.sheaf = Sheaf(self.server["url"], self.server["apiKey"])

    def test_answer_of_a_rule(self):
        rules = [{"match": {"last_user_message": "Hello"}, "reply": {"text": "Hi."}}]
        self.sheaf.call("PUT", "/sheaf/rules", {"rules": rules})
        self.assertEqual(ask(self.sheaf, "Hello"), "Hi.")

    def test_fault(self):
        self.sheaf.call("PUT", "/sheaf/faults", {"failure_rate": 1, "statuses": [503]})
        with self.assertRaises(urllib.error.HTTPError) as raised:
            ask(self.sheaf, "Hello")
        self.assertEqual(raised.exception.code, 503)
        raised.exception.close()

    def test_sees_nothing_of_the_others(self):
        self.assertEqual(self.sheaf.call("GET", "/sheaf/requests")["data"], [])


if __name__ == "__main__":
    unittest.main()
