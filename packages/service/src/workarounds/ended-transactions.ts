/** The part of Prisma's driver adapter that is used. */
interface Statement {
  readonly sql: string
}
interface DriverTransaction {
  queryRaw(statement: Statement): Promise<unknown>
  executeRaw(statement: Statement): Promise<unknown>
}
interface DriverAdapter {
  startTransaction(isolationLevel?: string): Promise<DriverTransaction>
}
interface AdapterFactory {
  connect(): Promise<DriverAdapter>
}

/** The statements that Prisma ends a transaction with. */
const ENDS: readonly string[] = ['COMMIT', 'ROLLBACK']

/** Prisma's code for a transaction that is over. It means "not now" (`unavailable.ts`). */
const TRANSACTION_OVER = 'P2028'

/**
 * Refuses statements of transactions that have ended. If a transaction expires, Prisma rolls it back and gives its connection back to the
 * pool, but continues the call that has consisted of several statements until then, on the same connection: it reads rows that are gone,
 * and writes outside of any transaction, or inside the one of another request.
 *
 * Upstream: https://github.com/prisma/orm/issues/29952 has the same cause. Delete this when a version of Prisma ends the calls of an
 * expired transaction before it gives the connection back (7.10.0 does not).
 *
 * @param factory driver adapter of a Prisma client
 * @returns the same
 */
export function refuseEndedTransactions<Factory extends AdapterFactory>(factory: Factory): Factory {
  replaceConnect(factory)
  return factory
}

function replaceConnect(factory: AdapterFactory): void {
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel)
      refuseOnceEnded(transaction)
      return transaction
    }
    return adapter
  }
}

function refuseOnceEnded(transaction: DriverTransaction): void {
  let hasEnded = false
  const query = transaction.queryRaw.bind(transaction)
  const execute = transaction.executeRaw.bind(transaction)
  transaction.queryRaw = async (statement) => {
    if (hasEnded) throw transactionOver()
    return query(statement)
  }
  transaction.executeRaw = async (statement) => {
    if (hasEnded) throw transactionOver()
    // Later statements would arrive after it.
    hasEnded = ENDS.includes(statement.sql)
    return execute(statement)
  }
}

function transactionOver(): Error {
  const error = new Error('A statement cannot be executed on an expired transaction.')
  return Object.assign(error, { code: TRANSACTION_OVER })
}
