import { OperationError } from '@bearing/contracts/errors'

/** Postgres SQLSTATE classes and codes that say "not now" rather than "never" (PostgreSQL manual, appendix A). */
const TRANSIENT_SQLSTATE = /^(?:08...|53...|57P0[1-4]|57014|40001|40P01|55P03)$/
/** What Node and the Postgres driver say when there is no server to talk to. */
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
])
const TRANSIENT_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
  'DatabaseAccessDenied',
])
const TRANSIENT_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Can't reach database server/i

/** SQLSTATE classes that say that the data itself is at fault: data exception, integrity violation, program limit exceeded. */
const UNSTORABLE_SQLSTATE = /^(?:22|23|54)[0-9A-Z]{3}$/
/** What ended because it took too long, and not because it could not begin. */
const TIMED_OUT = /^57014$/
const TIMED_OUT_MESSAGE = /Query read timeout|cannot be executed on an expired transaction/

/**
 * What a failed database call means to the caller: `service_unavailable` where the database is down, restarting or
 * overloaded.
 *
 * @returns undefined where the error is of another kind
 */
export function databaseUnavailable(error: unknown): OperationError | undefined {
  if (!isOrCausedBy(error, isTransient)) return undefined
  return new OperationError(
    'service_unavailable',
    'A part of the service cannot be reached at the moment. Try again shortly.',
    { retry_after: 1 },
    { cause: error },
  )
}

/**
 * Whether the database refuses these data for good. Of everything else a queue cannot know that it will stay so: a database
 * that is read-only, a password that was changed, a migration that has not run yet. That is tried again, and loses nothing.
 */
export function isUnstorable(error: unknown): boolean {
  return isOrCausedBy(error, (current) => hasCode(current, UNSTORABLE_SQLSTATE))
}

/** Whether the database had begun, and did not come to an end in time. With less to do at once it may. */
export function tookTooLong(error: unknown): boolean {
  return isOrCausedBy(
    error,
    (current) => hasCode(current, TIMED_OUT) || hasMessage(current, TIMED_OUT_MESSAGE),
  )
}

function isOrCausedBy(error: unknown, is: (error: object) => boolean): boolean {
  let current = error
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    if (is(current)) return true
    current = causeOf(current)
  }
  return false
}

/** Prisma keeps what the driver said apart from the standard `cause`. */
function causeOf(error: object): unknown {
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } }
  return cause ?? meta?.driverAdapterError
}

function isTransient(error: object): boolean {
  const { kind } = error as { kind?: unknown }
  return (
    codesOf(error).some((code) => TRANSIENT_CODES.has(code)) ||
    hasCode(error, TRANSIENT_SQLSTATE) ||
    (typeof kind === 'string' && TRANSIENT_KINDS.has(kind)) ||
    hasMessage(error, TRANSIENT_MESSAGE)
  )
}

function hasCode(error: object, pattern: RegExp): boolean {
  return codesOf(error).some((code) => pattern.test(code))
}

function codesOf(error: object): readonly string[] {
  const { code, originalCode } = error as Record<string, unknown>
  return [code, originalCode].filter((value) => typeof value === 'string')
}

function hasMessage(error: object, pattern: RegExp): boolean {
  const { message } = error as { message?: unknown }
  return typeof message === 'string' && pattern.test(message)
}
