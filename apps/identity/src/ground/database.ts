import { refuseEndedTransactions } from '@bearing/service/workarounds/ended-transactions'
import { CONNECT_MS, STATEMENT_MS, postgresSettings } from '@bearing/service/store/postgres-settings'
import { Transactions } from '@bearing/service/store/transactions'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../generated/prisma/client.js'

export type Transaction = Prisma.TransactionClient

interface TransactionOptions {
  readonly isolationLevel?: Prisma.TransactionIsolationLevel
}

/** Identity's tables. If Postgres is down or hangs, queries fail in time; they work again once it is back. */
export class Database extends PrismaClient {
  /** The connections that all statements use. */
  readonly pool: pg.Pool

  /**
   * @param url of Postgres, with the role of this service; secret
   * @param poolSize maximum number of connections
   */
  constructor(
    url: string,
    poolSize: number,
    private readonly transactions = Transactions.unpublished(),
  ) {
    const pool = new pg.Pool(postgresSettings(url, 'identity', poolSize))
    // The pool replaces an idle connection that is lost. Without a listener the process would end.
    pool.on('error', () => undefined)
    super({
      adapter: refuseEndedTransactions(new PrismaPg(pool, { schema: 'identity', disposeExternalPool: true })),
      transactionOptions: { maxWait: CONNECT_MS, timeout: STATEMENT_MS },
      errorFormat: 'minimal',
    })
    this.pool = pool
  }

  /** Runs a transaction with its audit events and its events, which are published before this method returns. */
  transaction<Result>(
    run: (transaction: Transaction) => Promise<Result> | Result,
    options?: TransactionOptions,
  ): Promise<Result> {
    const begin = (body: (transaction: Transaction) => Promise<Result>) => this.$transaction(body, options)
    return this.transactions.run(this, begin, async (transaction: Transaction) => run(transaction))
  }
}

/** Returns whether a write failed because a unique column has the value already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
