/** An invalid command or input. Never contains the value of a credential. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(
    message: string,
    /** What to do instead. */
    readonly hint?: string,
  ) {
    super(message)
  }
}
