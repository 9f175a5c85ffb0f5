import { OperationError } from '@bearing/contracts/errors'

/**
 * SQLSTATE classes, and codes of others, that say "not now" rather than "never" (PostgreSQL manual, appendix A). Whole
 * classes, since an unexpected code of a class is of the same kind.
 *
 * - 08, connection exception: the connection broke, or whatever stands between has spoken out of turn.
 * - 25006, 25P02, 25P03, 25P04: the server is read-only, as a standby is before it is promoted, or has ended a transaction.
 * - 3D000: the database does not exist, as while it is restored from a backup.
 * - 28, invalid authorization: the password or the role is being changed; what a caller sent has no part in it.
 * - 40, transaction rollback: another transaction was in the way (serialization, deadlock), or whether it was committed is not known.
 * - 53, insufficient resources: disk, memory, connections, a limit that was configured.
 * - 55, not in prerequisite state: the server is starting, recovering or being changed, or a lock was not to be had (55P03), or an
 *   object is in use (55006). No input of a caller causes this class.
 * - 57, operator intervention: shut down, crashed, not up yet, canceled because it took too long, the database dropped.
 * - 58, system error: the disk or the files below Postgres.
 */
const TRANSIENT_SQLSTATE = /^(?:(?:08|28|40|53|55|57|58)[0-9A-Z]{3}|25006|25P0[234]|3D000)$/
/** Codes of Node and Prisma for a server or connection that is not there, or a transaction that is over. */
const TRANSIENT_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'P1000', // the password is refused
  'P1001', // cannot be reached
  'P1002', // reached, but too slow
  'P1003', // there is no such database
  'P1008', // took too long
  'P1010', // access is refused
  'P1011', // TLS
  'P1017', // the server has closed the connection
  'P1018', // the transaction is closed
  'P2024', // no connection of the pool in time
  'P2028', // the transaction could not begin in time, or is over
  'P2034', // another transaction was in the way
  'P2037', // too many connections
])
const TRANSIENT_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
  'TransactionAlreadyClosed',
  'TransactionWriteConflict',
  'DatabaseAccessDenied',
])
const TRANSIENT_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Can't reach database server/i

/** SQLSTATE classes that say that the data itself is at fault: data exception, integrity violation, program limit exceeded. */
const UNSTORABLE_SQLSTATE = /^(?:22|23|54)[0-9A-Z]{3}$/
/** Matches errors of statements that took too long, not of those that could not begin. */
const TIMED_OUT = /^57014$/
const TIMED_OUT_MESSAGE = /Query read timeout|cannot be executed on an expired transaction/

/**
 * Translates the error of a failed database call for the caller: `service_unavailable` if the database is down, restarting or
 * overloaded.
 *
 * @returns undefined if the error is of another kind
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
 * Returns whether the database refuses these data permanently. Any other error may pass: a read-only database, a changed
 * password, a migration that has not run yet. Such work is retried, and nothing is lost.
 */
export function isUnstorable(error: unknown): boolean {
  return isOrCausedBy(error, (current) => hasCode(current, UNSTORABLE_SQLSTATE))
}

/** Returns true if the statement started and did not end in time. A smaller one may. */
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
