// The welcome page: where somebody left off, and how much of every course is solved.
// It reads what the browser keeps; the words of the page do not wait for it.
"use strict";

const welcome = {
  courses: () => JSON.parse(document.getElementById("castlelab-courses").textContent),

  isSolved: (solve) => Boolean(solve) && !solve.gave_up,

  /** The course in which something was done last, and what that was; null for a newcomer. */
  last(courses, solved) {
    let last = null;
    for (const [code, { at }] of Object.entries(solved)) {
      const course = courses.find(({ name, places }) => code.startsWith(`${name}/`) && places.length);
      if (course && (!last || at >= last.at)) last = { course, code, at };
    }
    return last;
  },

  /** The next lesson of a course after the one that was done last; null if all are solved. */
  next(course, solved, code = "") {
    const at = course.places.findIndex(({ lesson }) => lesson === code);
    const later = course.places.slice(at + 1).find(({ lesson }) => !solved[lesson]);
    return later ?? course.places.find(({ lesson }) => !welcome.isSolved(solved[lesson])) ?? null;
  },

  /** Where to go on: a course and its lesson, null once everything is solved. */
  place() {
    const [courses, solved] = [welcome.courses(), shell.solved()];
    const last = welcome.last(courses, solved);
    const others = courses.filter(({ places }) => places.length);
    const begun = last ? [last.course, ...others.filter((course) => course !== last.course)] : others;
    for (const course of begun) {
      const lesson = welcome.next(course, solved, last?.code);
      if (lesson) return { course, lesson, isNew: !last, solved };
    }
    return null;
  },

  make(tag, name, words = "") {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.textContent = words;
    return made;
  },

  /** Dots for the lessons of a chapter, the one to do now among them, and the minutes left. */
  chapter({ course, lesson, solved }) {
    const peers = course.places.filter(({ chapter }) => chapter === lesson.chapter);
    const dots = peers.map((peer) => {
      const dot = shell.ending(solved[peer.lesson]).replaceAll(" ", "-");
      return welcome.make("i", `castlelab-dot castlelab-dot-${peer === lesson ? "now" : dot}`);
    });
    const left = peers.filter((peer) => !welcome.isSolved(solved[peer.lesson])).length;
    const minutes = Math.ceil((course.chapters[lesson.chapter].minutes * left) / peers.length);
    return [...dots, welcome.make("span", "", `${minutes} min to the end of chapter ${lesson.chapter + 1}`)];
  },

  /** The box under the headline. */
  resume() {
    const box = document.querySelector(".castlelab-resume");
    const found = welcome.place();
    if (found?.isNew) return;
    const [head, title, more, way] = box.querySelectorAll("small, strong, .castlelab-resume-more, a");
    head.textContent = found ? "Where you left off" : "Every lesson is solved";
    title.textContent = found ? `${found.course.title}: ${found.lesson.title}` : "Puzzles without end";
    more.replaceChildren(...(found ? welcome.chapter(found) : ["A new one at every level"]));
    way.textContent = "Continue";
    way.href = found ? `${found.course.page}#${encodeURIComponent(found.lesson.address)}` : "puzzle.ipynb";
  },

  /** What stands at the foot of a card: what is solved, the minutes and a bar. */
  foot({ lessons, questions, minutes }, done) {
    const count = done ? `${done} of ${lessons.length} solved` : `${lessons.length} lessons`;
    const line = welcome.make("span", "castlelab-game-figures");
    line.append(welcome.make("span", "", lessons.length ? count : `${questions} questions`));
    line.append(welcome.make("span", "castlelab-game-minutes", `${minutes} min`));
    const bar = welcome.make("span", "castlelab-game-bar");
    const part = bar.appendChild(welcome.make("i"));
    part.style.width = `${(100 * done) / (lessons.length || 1)}%`;
    if (!minutes) return [];
    return lessons.length ? [line, bar] : [line]; // what nobody remembers has no bar
  },

  /** The cards of the courses. */
  cards() {
    const solved = shell.solved();
    const found = welcome.place();
    for (const course of welcome.courses()) {
      const card = document.querySelector(`.castlelab-game[data-course="${CSS.escape(course.name)}"]`);
      if (!card) continue;
      const done = course.lessons.filter((lesson) => welcome.isSolved(solved[lesson])).length;
      const left = course.lessons.length - done;
      const isHere = found && !found.isNew && found.course.name === course.name;
      card.querySelector(".castlelab-game-foot").replaceChildren(...welcome.foot(course, done));
      card.querySelector(".castlelab-flag")?.remove();
      const words = isHere ? "Continue" : done && !left ? "All solved" : done && left < 4 ? `${left} left` : "";
      const flag = welcome.make("span", `castlelab-flag${isHere ? "" : " castlelab-flag-good"}`, words);
      if (words) card.append(flag);
    }
    const first = found?.course.name ?? welcome.courses()[0].name;
    const cover = document.querySelector(`.castlelab-game[data-course="${CSS.escape(first)}"] img`);
    if (cover) document.querySelector(".castlelab-resume-cover").replaceChildren(cover.cloneNode());
  },

  show() {
    welcome.resume();
    welcome.cards();
  },

  /** Once the cards are there. */
  begin() {
    welcome.show();
    for (const event of ["castlelab-kept", "storage", "pageshow"]) window.addEventListener(event, welcome.show);
    document.addEventListener("click", ({ target }) => {
      if (target.closest(".castlelab-hero .castlelab-next")) document.querySelector(".castlelab-resume a").click();
    });
  },
};
