import {
  CONNECT_MS,
  KEEP_ALIVE_MS,
  STATEMENT_MS,
  postgresSettings,
  surviveLoss,
} from '@bearing/service/postgres-settings'
import { Transactions } from '@bearing/service/transactions'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient, type Prisma } from '../generated/prisma/client.js'

/** How long one statement of a commit may take, in milliseconds. */
const COMMIT_STATEMENT_MS = 3_600_000

/** What code inside a transaction works with. */
export type Transaction = Prisma.TransactionClient

/** What an idle connection is lost with. The pool opens another, and who asks for that one learns what is wrong. */
function ignoreLostConnection(): void {
  // Without a listener the process would end.
}

/**
 * Connections for operations. A Postgres that is away, or hangs, gives an error in time; it is used again once it is
 * back.
 *
 * @param url of Postgres, as the role of this service; secret
 * @param size connections held at most
 */
export function openPool(url: string, size: number): pg.Pool {
  return new pg.Pool(postgresSettings(url, 'location', size)).on('error', ignoreLostConnection)
}

/**
 * The connections of what takes long: of a commit one writes and one reads what is written, and one sweeps.
 *
 * Statements may take long, so Postgres itself looks whether we are still there: without that, the locks of a process
 * that was killed would last as long as the statement it left behind.
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
      // Room for what is gathered at once (commit-transaction.ts), to join it without temporary files.
      '-c work_mem=64MB -c temp_buffers=64MB',
      '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    ].join(' '),
  })
  return pool.on('error', ignoreLostConnection)
}

/** How long one statement of learning may take, in milliseconds. */
const LEARN_STATEMENT_MS = 30_000

/** Connections for learning, one for each thing that is done at the same time. */
export function openLearningPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    ...postgresSettings(url, 'location', 3),
    statement_timeout: LEARN_STATEMENT_MS,
    query_timeout: LEARN_STATEMENT_MS,
    idle_in_transaction_session_timeout: LEARN_STATEMENT_MS,
  })
  return pool.on('error', ignoreLostConnection)
}

/** How a transaction is run. */
interface TransactionOptions {
  readonly isolationLevel?: Prisma.TransactionIsolationLevel
  /** How long it may take, in milliseconds. */
  readonly timeout?: number
}

/** Location's tables, by way of the connections for operations. */
export class Database extends PrismaClient {
  /** @param transactions publish events after a commit (default: the relay publishes them) */
  constructor(
    pool: pg.Pool,
    private readonly transactions = Transactions.unpublished(),
  ) {
    super({
      adapter: new PrismaPg(pool, { schema: 'location' }),
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
  constructor(
    /** Operations. */
    readonly main: pg.Pool,
    /** Imports and the erasure sweep, whose statements may take long. */
    readonly commit: pg.Pool,
    readonly learning: pg.Pool,
    readonly rebuild: pg.Pool,
    /** Look-ups; the same as `main` without a replica. */
    readonly lookUp: pg.Pool,
  ) {}

  /** Closes all connections. */
  async end(): Promise<void> {
    const pools = new Set([this.main, this.commit, this.learning, this.rebuild, this.lookUp])
    await Promise.all([...pools].map((pool) => pool.end()))
  }
}
