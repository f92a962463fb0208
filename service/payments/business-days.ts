const day = 86_400_000

/** Whether a midnight UTC is a day on which schemes work. */
export function isBusinessDay(date: Date): boolean {
  return date.getUTCDay() !== 0 && date.getUTCDay() !== 6
}

/** Moves to the business day `count` after (or before, when negative) a date; 0 moves to the next possible one. Midnights UTC. */
export function addBusinessDays(date: Date, count: number): Date {
  const step = count < 0 ? -day : day
  let moved = Math.floor(date.getTime() / day) * day
  while (!isBusinessDay(new Date(moved))) moved += step
  for (let left = Math.abs(count); left > 0; left -= 1) {
    do moved += step
    while (!isBusinessDay(new Date(moved)))
  }
  return new Date(moved)
}
