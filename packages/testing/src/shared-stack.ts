import { addressesOf, publishSharedStack } from './addresses.js'
import { NamedStacks } from './named-stacks.js'
import { startStack, type Stack } from './stack.js'

/** Jest loads its global set-up and tear-down in one process, outside of the workers. */
let shared: Stack | undefined
let named: NamedStacks | undefined

/**
 * Starts the stack that all suites share, and passes its addresses to the workers. Where it cannot be started, suites that do
 * not need it still run, and those that do fail with the reason.
 *
 * @param logDirectory gets what each process prints
 * @returns the failure, if any
 */
export async function startSharedStack(logDirectory: string): Promise<Error | undefined> {
  try {
    shared = await startStack({ postgres: 'own', logDirectory })
    named = await NamedStacks.serve(logDirectory)
    const { templateDatabase } = shared
    publishSharedStack({ ...addressesOf(shared), templateDatabase, namedStacksUrl: named.url })
    return undefined
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error))
    publishSharedStack(failure)
    return failure
  }
}

/**
 * Stops it, where it was started, and the named stacks, whose databases are on its Postgres.
 *
 * @throws where NATS has refused a service something
 */
export async function stopSharedStack(): Promise<void> {
  try {
    await named?.stop()
  } finally {
    await shared?.stop()
  }
}
