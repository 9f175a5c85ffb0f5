import { CONNECT_MS, STATEMENT_MS, postgresSettings } from '@bearing/service/postgres-settings'
import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '../generated/prisma/client.js'

/** What code inside a transaction works with. */
export type Transaction = Prisma.TransactionClient

/** Management's tables. A Postgres that is away, or hangs, gives an error in time; it is used again once it is back. */
export class Database extends PrismaClient {
  /**
   * @param url of Postgres, as the role of this service; secret
   * @param poolSize connections held at most
   */
  constructor(url: string, poolSize: number) {
    super({
      adapter: new PrismaPg(postgresSettings(url, 'management', poolSize), { schema: 'management' }),
      transactionOptions: { maxWait: CONNECT_MS, timeout: STATEMENT_MS },
      errorFormat: 'minimal',
    })
  }
}

/** Whether a write failed because a unique column, or set of columns, has this value already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

/** Whether a write failed because the row it belongs to is not there. */
export function isMissingParent(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003'
}
