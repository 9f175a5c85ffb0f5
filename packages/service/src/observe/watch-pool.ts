import { currentCall } from '@bearing/nats/call-context'
import { isRecorded, isTracing, traced } from '@bearing/nats/tracing'
import type { Metrics } from './metrics.js'

type Query = (...args: unknown[]) => unknown

/** The part of a connection pool (`pg`) that is watched. */
interface Pool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max?: number | undefined }
  query: Query
  on(event: 'connect', listener: (connection: { query: Query }) => void): unknown
}

/**
 * Adds a connection pool to the metrics of a process and, where the process records traces, its statements to the traces of calls.
 *
 * @param name of the pool in metrics
 * @param pool of `pg`; the declared types of its methods are overloads that no other type can describe
 */
export function watchPool(metrics: Metrics, name: string, pool: object): void {
  const watched = pool as Pool // every pool of `pg` has these
  metrics.pool(name, () => ({
    size: watched.options.max ?? 0,
    inUse: watched.totalCount - watched.idleCount,
    idle: watched.idleCount,
    waiting: watched.waitingCount,
  }))
  if (!isTracing()) return
  // Statements outside of transactions go through the pool, which calls a connection back; those within go to a connection.
  watched.query = traceStatements(watched.query.bind(watched))
  watched.on('connect', (connection) => {
    connection.query = traceStatements(connection.query.bind(connection))
  })
}

function traceStatements(query: Query): Query {
  return (...args) => {
    const parent = currentCall()?.traceparent
    if (!isRecorded(parent)) return query(...args)
    const [statement] = args
    // With a callback it is the pool that asks, and has been traced; what is no text is a stream of COPY.
    const text = typeof args.at(-1) === 'function' ? undefined : textOf(statement)
    if (text === undefined) return query(...args)
    return traced(
      parent,
      () => spanOf(text),
      () => Promise.resolve(query(...args)),
    )
  }
}

function textOf(statement: unknown): string | undefined {
  if (typeof statement === 'string') return statement
  if (typeof statement !== 'object' || statement === null || !('text' in statement)) return undefined
  if ('submit' in statement) return undefined
  return typeof statement.text === 'string' ? statement.text : undefined
}

const VERB =
  /\b(SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|LOCK|CREATE|DROP|ANALYZE)\b/i
const TABLE = /\b(?:FROM|INTO|UPDATE|TABLE|COPY)\s+(?:ONLY\s+)?(?:"?\w+"?\.)?"?([a-z_][a-z0-9_]{0,62})"?/i

/** The verb and the first table of a statement. The text itself stays here: it would be most of a trace. */
function spanOf(text: string) {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'statement'
  const table = TABLE.exec(text)?.[1]?.toLowerCase()
  return {
    name: table === undefined ? verb : `${verb} ${table}`,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': verb,
      ...(table !== undefined && { 'db.collection.name': table }),
    },
  } as const
}
