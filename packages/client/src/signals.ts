/** The system's reason, such as `ECONNREFUSED`. Only the code: messages may hold more than is good. */
export function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown } | null }).cause
  return typeof cause?.code === 'string' ? ` (${cause.code})` : ''
}

/** Returns a signal that aborts with the first of two. */
export function anyOf(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  return first && second ? AbortSignal.any([first, second]) : (first ?? second)
}

/** Waits, unless the signal aborts. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = (): void => {
      clearTimeout(timer)
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own value
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
