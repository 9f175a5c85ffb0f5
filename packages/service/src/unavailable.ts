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

/**
 * What a failed database call means to the caller: `service_unavailable` where the database is down, restarting or
 * overloaded.
 *
 * @returns undefined where the error is of another kind
 */
export function databaseUnavailable(error: unknown): OperationError | undefined {
  for (
    let depth = 0, current = error;
    depth < 6 && typeof current === 'object' && current !== null;
    depth++
  ) {
    if (isTransient(current))
      return new OperationError(
        'service_unavailable',
        'A part of the service cannot be reached at the moment. Try again shortly.',
        { retry_after: 1 },
        { cause: error },
      )
    current = causeOf(current)
  }
  return undefined
}

/** Prisma keeps what the driver said apart from the standard `cause`. */
function causeOf(error: object): unknown {
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } }
  return cause ?? meta?.driverAdapterError
}

function isTransient(error: object): boolean {
  const { code, kind, originalCode, message } = error as Record<string, unknown>
  const texts = [code, originalCode].filter((value) => typeof value === 'string')
  return (
    texts.some((text) => TRANSIENT_CODES.has(text) || TRANSIENT_SQLSTATE.test(text)) ||
    (typeof kind === 'string' && TRANSIENT_KINDS.has(kind)) ||
    (typeof message === 'string' && TRANSIENT_MESSAGE.test(message))
  )
}
