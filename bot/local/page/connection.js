// The connection to the stand-in: one websocket that reconnects by itself, and requests with their answers.

const ANSWER_TIMEOUT_MS = 6000; // the server reports a failure after 3 s; this is for a connection that was lost
const MAX_RETRY_DELAY_MS = 5000;
const LINK_ENDED = 4001; // the owner of the cardroom has removed this person

export class LiveConnection {
  /** `onFrame(frame)` takes what the server sends; `onLost(forGood)` is called when the connection is lost. */
  constructor(path, onFrame, onLost) {
    Object.assign(this, { path, onFrame, onLost, attempts: 0, serial: 0, pending: new Map(), socket: null });
  }

  connect() {
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.socket.addEventListener("message", (event) => this.onFrame(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => {
      this.attempts += 1;
      for (const nonce of [...this.pending.keys()]) this.resolve(nonce, { t: "failed", text: "The connection was lost. Try again." });
      this.onLost(event.code === LINK_ENDED);
      if (event.code === LINK_ENDED) return;
      setTimeout(() => this.connect(), Math.min(MAX_RETRY_DELAY_MS, 250 * 2 ** Math.min(this.attempts, 5)));
    });
  }

  /** The server has sent its first frame: the next loss starts with the shortest delay again. */
  resetRetries() { this.attempts = 0; }

  /** Send a frame that gets no answer. Returns false while there is no connection. */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Send a request and wait for its answer: done, modal, choices, or failed with a text. Never throws. */
  request(op, fields) {
    const nonce = `${Date.now().toString(36)}-${++this.serial}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.resolve(nonce, { t: "failed", text: "This interaction failed" }), ANSWER_TIMEOUT_MS);
      this.pending.set(nonce, (frame) => {
        clearTimeout(timer);
        resolve(frame);
      });
      if (!this.send({ op, nonce, ...fields })) this.resolve(nonce, { t: "failed", text: "Not connected. Wait a moment." });
    });
  }

  /** Give an answer to the request that waits for it. Returns false if none does. */
  resolve(nonce, frame) {
    const resolve = this.pending.get(nonce);
    this.pending.delete(nonce);
    resolve?.(frame);
    return Boolean(resolve);
  }
}
