// This device's own camera: opened, closed, looked at. Errors carry the sentence to show.
import { html, say } from "../lib/dom.js";

const REASONS = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "none",
  OverconstrainedError: "none",
  NotReadableError: "in-use",
  AbortError: "in-use",
};

/** Whether the browser gives this page a camera at all. */
export const allowed = Boolean(window.isSecureContext && navigator.mediaDevices?.getUserMedia);

/** This device's camera: its moving picture, and pictures out of it. */
export class Lens {
  stream = null;
  video = html`<video playsinline muted aria-hidden="true"></video>`;
  #canvas = document.createElement("canvas");
  #turn = 0;

  get track() {
    return this.stream?.getVideoTracks()[0];
  }

  /** Open the camera with this id, or the one that looks away from the person. Whether it is open, and not yet another. */
  async open(id, { width = 1920, height = 1080 } = {}) {
    this.close();
    const turn = this.#turn;
    if (!allowed) throw new Error(say("camera.insecure"));
    const which = id ? { deviceId: { exact: id } } : { facingMode: { ideal: "environment" } };
    const video = { ...which, width: { ideal: width }, height: { ideal: height } };
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video });
      if (turn !== this.#turn) return stop(stream);
      this.stream = this.video.srcObject = stream;
    } catch (error) {
      throw new Error(say(`camera.${REASONS[error.name] ?? "in-use"}`));
    }
    this.video.muted = true;
    await this.video.play();
    return turn === this.#turn;
  }

  /** Let go of the camera. */
  close() {
    this.#turn += 1;
    stop(this.stream);
    this.stream = this.video.srcObject = null;
  }

  /** The picture now, as JPEG with at most `side` pixels on its longer side; null where there is none yet. */
  picture({ side = 1280, quality = 0.85 } = {}) {
    const { videoWidth: width, videoHeight: height, readyState } = this.video;
    if (!width || !height || readyState < 2) return Promise.resolve(null);
    const scale = Math.min(1, side / Math.max(width, height));
    const canvas = Object.assign(this.#canvas, {
      width: Math.round(width * scale),
      height: Math.round(height * scale),
    });
    canvas.getContext("2d", { alpha: false }).drawImage(this.video, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
  }
}

function stop(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
  return false;
}

/** The cameras there are: their ids and names. */
export async function cameras() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter((device) => device.kind === "videoinput" && device.deviceId)
    .map((device, i) => ({ id: device.deviceId, name: device.label || say("camera.nth", { n: i + 1 }) }));
}
