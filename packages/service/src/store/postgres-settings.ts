import { SilentConnections } from '../workarounds/silent-connections.js'

/** Time limit for getting a connection, in milliseconds. */
export const CONNECT_MS = 2_000
/**
 * After so many milliseconds without a word the other side is asked whether it is there. The system's own two hours are how
 * long a statement would be waited for whose host is gone.
 */
export const KEEP_ALIVE_MS = 10_000
/** Time limit of one statement, in milliseconds: less than the shortest deadline of an operation. */
export const STATEMENT_MS = 4_000

/** The part of a connection that the settings of a pool use. */
export interface PoolConnection {
  on(event: 'error', listener: (error: Error) => void): unknown
}

/**
 * Settings of a connection pool (`pg`). A Postgres that is away, or hangs, gives an error in time; it is used again once
 * it is back, or another one has its address.
 *
 * @param url of Postgres, as the service's own role; secret
 * @param schema the service's schema
 * @param size connections held at most
 * @param statementMs how long one statement may take, in milliseconds
 */
export function postgresSettings(url: string, schema: string, size: number, statementMs = STATEMENT_MS) {
  const silent = new SilentConnections(statementMs)
  return {
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    // Both: Postgres ends the statement; if Postgres itself hangs, the driver stops waiting.
    statement_timeout: statementMs,
    query_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    onConnect: (connection: PoolConnection) => {
      surviveLoss(connection)
      silent.watch(connection)
    },
    options: `-c search_path=${schema}`,
  }
}

/**
 * Keeps a process alive when Postgres ends a connection. The pool leaves a connection without a listener for a moment
 * when it hands it from one user to the next; what is lost just then would end the process, though the next statement
 * fails in any case. For `onConnect` of a pool.
 */
export function surviveLoss(connection: PoolConnection): void {
  connection.on('error', () => undefined)
}
