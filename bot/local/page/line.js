// The live line to the stand-in: one websocket that comes back by itself, and questions with their answers.

const ANSWER_WITHIN_MS = 6000; // the server says so after 3 s; this is for a line that broke
const RETRY_MOST_MS = 5000;

export class Line {
  constructor(path, receive, lost) {
    Object.assign(this, { path, receive, lost, attempts: 0, serial: 0, waiting: new Map(), socket: null });
  }

  connect() {
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      this.attempts += 1;
      for (const nonce of [...this.waiting.keys()]) this.answered(nonce, { t: "failed", text: "The connection broke. Try again." });
      this.lost();
      setTimeout(() => this.connect(), Math.min(RETRY_MOST_MS, 250 * 2 ** Math.min(this.attempts, 5)));
    });
  }

  /** The server has greeted us: the next break starts counting anew. */
  settled() { this.attempts = 0; }

  /** Send a frame that gets no answer; false when the line is down. */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Ask for something and get its answer: done, modal, choices, or failed with words. Never throws. */
  ask(op, fields) {
    const nonce = `${Date.now().toString(36)}-${++this.serial}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answered(nonce, { t: "failed", text: "This interaction failed" }), ANSWER_WITHIN_MS);
      this.waiting.set(nonce, (frame) => {
        clearTimeout(timer);
        resolve(frame);
      });
      if (!this.send({ op, nonce, ...fields })) this.answered(nonce, { t: "failed", text: "Not connected. Wait a moment." });
    });
  }

  /** Hand an answer to who waits for it; false when nobody does (any more). */
  answered(nonce, frame) {
    const resolve = this.waiting.get(nonce);
    this.waiting.delete(nonce);
    resolve?.(frame);
    return Boolean(resolve);
  }
}
