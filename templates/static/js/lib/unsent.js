// What a person entered and the companion has not taken (no line, a full disk): kept on the device, sent again in order.
const AGAIN = 3000;

export class Unsent {
  #sending = Promise.resolve();
  #timer;

  /** `send` posts one; `again` is called to try anew, and is to call `flush`. */
  constructor(name, send, again) {
    Object.assign(this, { name, send, again });
    this.waiting = JSON.parse(localStorage.getItem(name) ?? "[]");
    if (this.waiting.length) this.#later();
  }

  say(change) {
    this.waiting.push(change);
    this.#keep();
    return this.flush();
  }

  /** Send what waits. The last answer; throws where one is refused, or has to wait on. */
  flush() {
    const all = async () => {
      let answer = null;
      while (this.waiting.length) {
        try {
          answer = await this.send(this.waiting[0]);
        } catch (error) {
          if (error.later) this.#later();
          else this.#taken();
          throw error;
        }
        this.#taken();
      }
      return answer;
    };
    this.#sending = this.#sending.then(all, all);
    return this.#sending;
  }

  #taken() {
    this.waiting.shift();
    this.#keep();
  }

  #keep() {
    if (this.waiting.length) localStorage.setItem(this.name, JSON.stringify(this.waiting));
    else localStorage.removeItem(this.name);
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.again, AGAIN);
  }
}
