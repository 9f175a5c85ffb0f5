import { CONNECT_MS, STATEMENT_MS, postgresSettings } from '@bearing/service/postgres-settings'
import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '../generated/prisma/client.js'

/** What code inside a transaction works with. */
export type Transaction = Prisma.TransactionClient

/** Something that a transaction does last. */
interface Ending {
  readonly lock: string
  readonly work: () => Promise<void>
}

const endings = new WeakMap<Transaction, Ending[]>()

/**
 * Does something when all else of a transaction is done, and before it is committed: for locks that many wait for. Every
 * transaction takes them in the same order, so nobody waits in a circle, and nobody longer than for a commit.
 *
 * @param lock what is locked; in the order of these texts
 */
export function beforeCommit(transaction: Transaction, lock: string, work: () => Promise<void>): void {
  const ending = endings.get(transaction)
  if (!ending) throw new Error('this is no transaction of Database.$transaction')
  ending.push({ lock, work })
}

/** How a transaction is run. */
interface TransactionOptions {
  readonly isolationLevel?: Prisma.TransactionIsolationLevel
}

/** Identity's tables. A Postgres that is away, or hangs, gives an error in time; it is used again once it is back. */
export class Database extends PrismaClient {
  /**
   * @param url of Postgres, as the role of this service; secret
   * @param poolSize connections held at most
   */
  constructor(url: string, poolSize: number) {
    super({
      adapter: new PrismaPg(postgresSettings(url, 'identity', poolSize), { schema: 'identity' }),
      transactionOptions: { maxWait: CONNECT_MS, timeout: STATEMENT_MS },
      errorFormat: 'minimal',
    })
  }

  /** Runs a transaction, and at its end what was left to it with {@link beforeCommit}. */
  override $transaction<Result>(
    run: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>
  /** Not used: a list of statements has no end to leave anything to. */
  override $transaction(statements: never): never
  override $transaction<Result>(
    run: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    return super.$transaction(async (transaction) => {
      endings.set(transaction, [])
      const result = await run(transaction)
      const ending = endings.get(transaction) ?? []
      for (const { work } of ending.sort((a, b) => (a.lock < b.lock ? -1 : a.lock > b.lock ? 1 : 0)))
        await work()
      return result
    }, options)
  }
}

/** Whether a write failed because a unique column has this value already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
