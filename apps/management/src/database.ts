import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from './generated/prisma/client.js'

/** How long getting a connection may take, in milliseconds. */
const CONNECT_MS = 2_000
/** How long one statement may take, in milliseconds: less than the shortest deadline of an operation. */
const STATEMENT_MS = 4_000

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
      adapter: new PrismaPg(
        {
          connectionString: url,
          max: poolSize,
          connectionTimeoutMillis: CONNECT_MS,
          // Twice the same: Postgres ends the statement, and where Postgres itself hangs, the driver gives up.
          statement_timeout: STATEMENT_MS,
          query_timeout: STATEMENT_MS,
          idle_in_transaction_session_timeout: STATEMENT_MS,
          keepAlive: true,
          // The pool leaves a connection without a listener for a moment when it hands it from one user to the next. A
          // server that goes away just then would end the process; the next statement fails in any case.
          onConnect: (connection) => connection.on('error', () => undefined),
          options: '-c search_path=management',
        },
        { schema: 'management' },
      ),
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
