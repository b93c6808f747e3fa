// Slow work that is requested often: one piece at a time, and only the last of those that wait.

/** Return a function that does the work at once, or as soon as the current piece is done. */
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

/** Return a function that calls another one after this many milliseconds without a further call. */
export function rested(milliseconds, work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
