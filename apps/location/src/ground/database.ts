import { refuseEndedTransactions } from '@bearing/service/workarounds/ended-transactions'
import {
  CONNECT_MS,
  KEEP_ALIVE_MS,
  STATEMENT_MS,
  postgresSettings,
  surviveLoss,
} from '@bearing/service/store/postgres-settings'
import { Transactions } from '@bearing/service/store/transactions'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient, type Prisma } from '../generated/prisma/client.js'

/** Time-out of one statement of a commit, in milliseconds. */
const COMMIT_STATEMENT_MS = 3_600_000

export type Transaction = Prisma.TransactionClient

/** The pool replaces an idle connection that is lost. Without a listener the process would end. */
function ignoreLostConnection(): void {
  // The next query reports what is wrong.
}

/**
 * Opens connections for operations. If Postgres is away or hangs, queries fail in time; it is used again when it is back.
 *
 * @param url of Postgres, as the role of this service; secret
 * @param size connections held at most
 */
export function openPool(url: string, size: number): pg.Pool {
  return new pg.Pool(postgresSettings(url, 'location', size)).on('error', ignoreLostConnection)
}

/**
 * Opens connections for long statements: an import uses two, a sweep one. Postgres checks that the client is still connected, or
 * the locks of a killed process would last as long as its statement.
 */
export function openCommitPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 3,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: COMMIT_STATEMENT_MS,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    onConnect: surviveLoss,
    options: [
      '-c search_path=location',
      '-c client_connection_check_interval=1000',
      '-c idle_in_transaction_session_timeout=60000',
      // Joins the rows of an import without temporary files.
      '-c work_mem=64MB -c temp_buffers=64MB',
      '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    ].join(' '),
  })
  return pool.on('error', ignoreLostConnection)
}

/** Time-out of one statement of learning, in milliseconds. */
const LEARN_STATEMENT_MS = 30_000

/** Opens connections for learning, one for each concurrent task. */
export function openLearningPool(url: string): pg.Pool {
  const pool = new pg.Pool(postgresSettings(url, 'location', 3, LEARN_STATEMENT_MS))
  return pool.on('error', ignoreLostConnection)
}

/** Opens one connection, of its own, to check whether the tables exist. @param url of Postgres, as the role of this service; secret */
export function openReader(url: string): PrismaClient {
  return new PrismaClient({
    adapter: new PrismaPg(postgresSettings(url, 'location', 1), { schema: 'location' }),
    errorFormat: 'minimal',
  })
}

interface TransactionOptions {
  readonly isolationLevel?: Prisma.TransactionIsolationLevel
  /** In milliseconds. */
  readonly timeout?: number
}

/** Location's tables. */
export class Database extends PrismaClient {
  /** @param transactions publish events after a commit (default: the relay publishes them) */
  constructor(
    pool: pg.Pool,
    private readonly transactions = Transactions.unpublished(),
  ) {
    super({
      adapter: refuseEndedTransactions(new PrismaPg(pool, { schema: 'location' })),
      transactionOptions: { maxWait: CONNECT_MS, timeout: STATEMENT_MS },
      errorFormat: 'minimal',
    })
  }

  /** Runs a transaction; what it recorded is stored at its end, and events are published after the commit. */
  transaction<Result>(
    run: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    return this.transactions.run(this, (body) => this.$transaction(body, options), run)
  }
}

/** The connections of the service, by what they are used for. */
export class Pools {
  /** Operations. */
  readonly main: pg.Pool
  /** Look-ups; the same as `main` without a replica. */
  readonly lookUp: pg.Pool
  /** Imports and the erasure sweep, whose statements may take long. */
  readonly commit: pg.Pool
  readonly rebuild: pg.Pool
  readonly learning: pg.Pool

  /**
   * @param urls of Postgres, as the role of this service; `replica` may be empty; secret
   * @param size connections for operations, and for look-ups
   */
  constructor(urls: { readonly primary: string; readonly replica: string }, size: number) {
    this.main = openPool(urls.primary, size)
    this.lookUp = urls.replica === '' ? this.main : openPool(urls.replica, size)
    this.commit = openCommitPool(urls.primary)
    this.rebuild = openCommitPool(urls.primary)
    this.learning = openLearningPool(urls.primary)
  }

  /** Closes all connections. */
  async end(): Promise<void> {
    await Promise.all([...namedPools(this).values()].map((pool) => pool.end()))
  }
}

/** Every pool once, by the name that metrics have. Without a replica look-ups use `main`. */
export function namedPools({ main, lookUp, commit, rebuild, learning }: Pools): Map<string, pg.Pool> {
  const replica: [string, pg.Pool][] = lookUp === main ? [] : [['replica', lookUp]]
  return new Map([
    ['main', main],
    ...replica,
    ['commit', commit],
    ['rebuild', rebuild],
    ['learning', learning],
  ])
}
