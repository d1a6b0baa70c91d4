"""Write two articles and the answers of a server that plays a model and invents a sentence."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from pyramidion import summarize_collection

FLOOD = (
    "Heavy rain flooded the harbor road in Ardel on Monday, and 42 families left their homes. "
    "Mayor Ida Lind opened the school as a shelter. The road had last been flooded in 2009. "
    "Many cellars were under water. Repairs will cost about 3 million crowns.\n"
)
FERRIES = (
    "Ferries between Ardel and Skov were cancelled for two days after the storm. The company "
    "Norlinje said that 1,200 passengers were rebooked.\n"
)
ANSWER = (
    "Heavy rain flooded Ardel's harbor road on Monday, forcing 42 families from their homes. "
    "[d1:1]\n"
    "Mayor Ida Lind turned the school into a shelter. [d1:2]\n"
    "Prime Minister Stoltenberg promised 5 million crowns for repairs. [d1:5]\n"
    "Norlinje rebooked 1,200 passengers as ferries to Skov were cancelled for two days. [d2:1-2]"
)
SECOND_ANSWER = "1. Repairs are expected to cost about 3 million crowns. [d1:5]"


class Model(BaseHTTPRequestHandler):
    """Answer as an OpenAI-compatible server does."""

    def do_POST(self) -> None:
        """Invent a sentence, and correct it when asked again."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_again = "<sentences>" in body["messages"][1]["content"]
        text = SECOND_ANSWER if is_again else ANSWER
        size = sum(len(message["content"]) for message in body["messages"]) // 4
        usage = {"prompt_tokens": size, "completion_tokens": len(text) // 4}
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        reply = json.dumps({"model": "tiny", "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


Path("flood.txt").write_text(FLOOD, encoding="utf-8")
Path("ferries.txt").write_text(FERRIES, encoding="utf-8")
with HTTPServer(("127.0.0.1", 0), Model) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    method = f"llm(model=tiny,url=http://127.0.0.1:{server.server_address[1]}/v1)"
    summarize_collection(["flood.txt", "ferries.txt"], method=method, on_unsupported="ask")
    server.shutdown()
