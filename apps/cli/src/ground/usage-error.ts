/** An invalid command or input. Never contains the value of a credential. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(
    message: string,
    /** Advice to the user. */
    readonly hint?: string,
  ) {
    super(message)
  }
}

/** Returns the error for a file that cannot be read. @param error what node:fs throws */
export function unreadable(name: string, error: unknown): UsageError {
  const { code } = error as NodeJS.ErrnoException
  return new UsageError(`${name} cannot be read (${code ?? 'unknown error'}).`)
}
