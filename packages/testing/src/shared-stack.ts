import { publishSharedStack } from './addresses.js'
import { startStack, type Stack } from './stack.js'

/** Jest loads its global set-up and tear-down in one process, outside of the workers. */
let shared: Stack | undefined

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
    const { gatewayUrls, natsUrl, nkeySeeds, databaseUrls, adminDatabaseUrl, templateDatabase } = shared
    publishSharedStack({
      gatewayUrls,
      natsUrl,
      nkeySeeds,
      databaseUrls,
      adminDatabaseUrl,
      templateDatabase,
    })
    return undefined
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error))
    publishSharedStack(failure)
    return failure
  }
}

/**
 * Stops it, where it was started.
 *
 * @throws where NATS has refused a service something
 */
export async function stopSharedStack(): Promise<void> {
  await shared?.stop()
}
