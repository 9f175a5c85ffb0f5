/**
 * Waits for an answer, but not longer than somebody has time.
 *
 * @returns undefined where it did not come in time
 */
export async function inTime<Answer>(answer: Promise<Answer>, waitMs: number): Promise<Answer | undefined> {
  if (waitMs === Infinity) return answer
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(
      () => {
        resolve(undefined)
      },
      // Of a negative time-out Node makes 1 ms, with a warning.
      Math.max(0, waitMs),
    )
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
