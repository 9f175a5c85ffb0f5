import { CONNECT_MS, STATEMENT_MS, postgresSettings } from '@bearing/service/postgres-settings'
import { Transactions } from '@bearing/service/transactions'
import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '../generated/prisma/client.js'

/** What code inside a transaction works with. */
export type Transaction = Prisma.TransactionClient

/** How a transaction is run. */
interface TransactionOptions {
  readonly isolationLevel?: Prisma.TransactionIsolationLevel
}

/** Identity's tables. A Postgres that is away, or hangs, gives an error in time; it is used again once it is back. */
export class Database extends PrismaClient {
  /**
   * @param url of Postgres, as the role of this service; secret
   * @param poolSize connections held at most
   * @param transactions publish events after a commit (default: the relay publishes them)
   */
  constructor(
    url: string,
    poolSize: number,
    private readonly transactions = Transactions.unpublished(),
  ) {
    super({
      adapter: new PrismaPg(postgresSettings(url, 'identity', poolSize), { schema: 'identity' }),
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

/** Whether a write failed because a unique column has this value already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
