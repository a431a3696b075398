// This device's own camera: opened, closed, looked at. Errors carry the sentence to show.
import { say } from "../lib/dom.js";

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

/** A stream of the camera with this id, or of the one that looks away from the person. */
export async function open(id, { width = 1920, height = 1080 } = {}) {
  if (!allowed) throw new Error(say("camera.insecure"));
  const which = id ? { deviceId: { exact: id } } : { facingMode: { ideal: "environment" } };
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { ...which, width: { ideal: width }, height: { ideal: height } },
    });
  } catch (error) {
    throw new Error(say(`camera.${REASONS[error.name] ?? "in-use"}`));
  }
}

/** Let go of the camera. */
export function close(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** The cameras there are: their ids and names. */
export async function cameras() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter((device) => device.kind === "videoinput" && device.deviceId)
    .map((device, i) => ({ id: device.deviceId, name: device.label || say("camera.nth", { n: i + 1 }) }));
}

/** The video's picture now, as JPEG with at most `side` pixels on its longer side; null where there is none yet. */
export function capture(video, canvas, { side = 1280, quality = 0.85 } = {}) {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width || !height || video.readyState < 2) return Promise.resolve(null);
  const scale = Math.min(1, side / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
}
