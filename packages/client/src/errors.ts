import type { Mistake } from '@bearing/contracts/errors/mistake'

/** A problem document (RFC 9457) of the gateway. */
export interface Problem {
  readonly status: number
  /** An `ErrorCode`, or a code that only a newer server knows. */
  readonly code: string
  readonly title: string
  readonly detail: string
  /** Address of the page about this code. */
  readonly type?: string
  readonly requestId?: string
  /** Mistakes in the input, with their places. */
  readonly mistakes: readonly Mistake[]
  /** A machine-readable reason that narrows the code. */
  readonly reason?: string
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number
}

/** The server has refused. The message is the server's `detail`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'

  constructor(readonly problem: Problem) {
    super(problem.detail)
  }

  get code(): string {
    return this.problem.code
  }

  get status(): number {
    return this.problem.status
  }

  get requestId(): string | undefined {
    return this.problem.requestId
  }

  get mistakes(): readonly Mistake[] {
    return this.problem.mistakes
  }

  get retryAfter(): number | undefined {
    return this.problem.retryAfter
  }
}

/** No answer came: no network, nobody listening, or too late. The message says what to look at. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'

  constructor(
    readonly reason: 'network' | 'timeout',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * An answer came, but not one of Bearing: a redirect, the HTML page of a proxy in between, or a reply that does not
 * match the contract.
 */
export class UnexpectedReplyError extends Error {
  override readonly name = 'UnexpectedReplyError'

  constructor(
    readonly status: number,
    message: string,
    readonly requestId?: string,
  ) {
    super(message)
  }
}

/** The call cannot be made: an address, credential or path parameter that HTTP cannot carry. Never holds its value. */
export class UnusableInputError extends Error {
  override readonly name = 'UnusableInputError'
}
