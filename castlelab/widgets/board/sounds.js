// Short sounds for what happens at a board, made here and silent until somebody turns them on.
// The browser keeps whether they are on; the kernel says which of them are due.

const SOUNDS = "castlelab-sounds"; // where the browser keeps it
const LOUD = 0.08;
// Notes: when they begin, in seconds, how high they are and how long they last; and their timbre.
const TUNES = {
  legal: { notes: [[0, 660, 0.07]], wave: "sine" },
  refused: { notes: [[0, 150, 0.16]], wave: "sawtooth" },
  "your turn": { notes: [[0, 523, 0.1], [0.12, 784, 0.16]], wave: "sine" },
  closed: { notes: [[0, 523, 0.09], [0.09, 659, 0.09], [0.18, 784, 0.2]], wave: "triangle" },
  edge: { notes: [[0, 220, 0.05]], wave: "square" },
};
const PAUSE = 0.06; // seconds between one tune and the next

function soundsAreOn() {
  try {
    return localStorage.getItem(SOUNDS) === "on";
  } catch {
    return false; // a browser that keeps nothing
  }
}

function playTune({ notes, wave }, audio, start) {
  let end = start;
  for (const [after, pitch, length] of notes) {
    const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
    const from = start + after;
    end = Math.max(end, from + length);
    Object.assign(tone, { type: wave });
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(LOUD, from);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + length); // without a click at the end
    tone.connect(loudness).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length);
  }
  return end;
}

function watchSounds(model, signal) {
  let heard = model.get("cue").number ?? 0; // what was due before this page was there is past
  follow(model, ["cue"], signal, () => {
    const { number = 0, names = [] } = model.get("cue");
    if (number <= heard) return;
    heard = number;
    if (!soundsAreOn()) return;
    const audio = (globalThis.castlelabAudio ??= new AudioContext());
    if (audio.state === "suspended") audio.resume();
    let start = audio.currentTime;
    for (const name of names) start = playTune(TUNES[name], audio, start) + PAUSE;
  });
}
