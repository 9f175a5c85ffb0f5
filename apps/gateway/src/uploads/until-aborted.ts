/**
 * Yields the items of a stream until a signal aborts. The stream stays open: the rest of a request's body can still be read.
 *
 * @throws unknown the reason of the signal, or an error of the stream
 */
export async function* untilAborted<T>(
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
          reject(signal.reason as Error) // we abort with errors only
        }
        iterator.next().then(resolve, reject)
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', end)
    // Not awaited: after an abort it would wait for bytes that may never arrive.
    iterator.return?.().catch(() => undefined)
  }
}
