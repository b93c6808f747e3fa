// Work that takes a while and is asked for often: one piece at a time, and of those that wait, the last.

/** Return a function that does the work at once, or as soon as the piece under way is done. */
export function latest(work) {
  let busy = false;
  let again = false;
  return async function run() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      busy = false;
    }
  };
}

/** Return a function that calls another when it has not been called for so many milliseconds. */
export function rested(milliseconds, work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
