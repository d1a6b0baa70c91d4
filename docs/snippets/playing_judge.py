"""Store the answers of a server that plays a judge by counting long words."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from pyramidion import judge


class Model(BaseHTTPRequestHandler):
    """Answer as an OpenAI-compatible server does."""

    def do_POST(self) -> None:
        """Give a high score to a summary with many long words."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = body["messages"][-1]["content"]
        summary = re.findall(r"<summary>(.*?)</summary>", question, re.S)[-1]
        score = min(5, 1 + len(set(re.findall(r"\w{8,}", summary))) // 4)
        text = json.dumps({"answer": score})
        usage = {"prompt_tokens": len(question) // 4, "completion_tokens": len(text) // 4}
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        reply = json.dumps({"model": "tiny", "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


with HTTPServer(("127.0.0.1", 0), Model) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/v1#tiny"
    judge("evaluation", model=address, rubric="responsiveness", task="A")
    server.shutdown()
