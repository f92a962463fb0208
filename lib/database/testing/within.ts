/** Answers as `promise` does, or fails and names `what` once so many milliseconds have passed. For tests. */
export async function within<Result>(limit: number, what: string, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${limit / 1_000} s for ${what}`)), limit)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
