/**
 * What a stream has until a signal ends it. The stream stays as it is then: where that is the body of a request, what is left of
 * it can still be read.
 *
 * @throws unknown the reason of the signal; and what the stream throws
 */
export async function* until<T>(
  stream: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = stream[Symbol.asyncIterator]()
  let refuse: (() => void) | undefined
  const end = () => refuse?.()
  signal.addEventListener('abort', end)
  try {
    for (;;) {
      signal.throwIfAborted()
      const next = await new Promise<IteratorResult<T, void>>((resolve, reject) => {
        refuse = () => {
          reject(signal.reason as Error) // an error wherever we abort
        }
        iterator.next().then(resolve, reject)
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', end)
    // Not waited for: where the signal has ended it, this waits for bytes that may never come.
    iterator.return?.().catch(() => undefined)
  }
}
