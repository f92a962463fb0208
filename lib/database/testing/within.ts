/** Resolves as `promise` does, or rejects naming `what` after `limit` milliseconds. For tests. */
export async function within<Result>(limit: number, what: string, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${limit / 1_000} s for ${what}`)), limit)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
