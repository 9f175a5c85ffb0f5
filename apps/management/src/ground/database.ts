import { refuseEndedTransactions } from '@bearing/service/workarounds/ended-transactions'
import { CONNECT_MS, STATEMENT_MS, postgresSettings } from '@bearing/service/store/postgres-settings'
import { Transactions } from '@bearing/service/store/transactions'
import type { OnApplicationShutdown } from '@nestjs/common'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../generated/prisma/client.js'

/** Client for code inside a transaction. */
export type Transaction = Prisma.TransactionClient

interface TransactionOptions {
  readonly isolationLevel?: Prisma.TransactionIsolationLevel
  /** In milliseconds. */
  readonly timeout?: number
}

/** The tables of management. If Postgres is unavailable, queries fail within their time-out; connections recover automatically. */
export class Database extends PrismaClient implements OnApplicationShutdown {
  /** The connections that all statements use. */
  readonly pool: pg.Pool

  /**
   * @param url of Postgres, with the role of management; secret
   * @param poolSize maximum number of connections
   * @param transactions publish events after a commit (default: the relay publishes them)
   */
  constructor(
    url: string,
    poolSize: number,
    private readonly transactions = Transactions.unpublished(),
  ) {
    const pool = new pg.Pool(postgresSettings(url, 'management', poolSize))
    // The pool replaces an idle connection that is lost. Without a listener the process would end.
    pool.on('error', () => undefined)
    super({
      adapter: refuseEndedTransactions(
        new PrismaPg(pool, { schema: 'management', disposeExternalPool: true }),
      ),
      transactionOptions: { maxWait: CONNECT_MS, timeout: STATEMENT_MS },
      errorFormat: 'minimal',
    })
    this.pool = pool
  }

  /** Runs a transaction; what it recorded is stored at its end, and events are published after the commit. */
  transaction<Result>(
    run: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    return this.transactions.run(this, (body) => this.$transaction(body, options), run)
  }

  onApplicationShutdown(): Promise<void> {
    return this.$disconnect()
  }
}

/** Returns true if a write failed because of a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

/** Returns true if a write failed because a referenced row does not exist. */
export function isMissingParent(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003'
}
