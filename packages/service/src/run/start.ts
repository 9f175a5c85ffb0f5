import { SettingsError } from '../ground/settings.js'

/** Services use what older versions do not have, and some of it only where data is handled. `pnpm start` and the images bring Node 24. */
const LEAST_NODE = 24

/**
 * Refuses versions of Node on which services would start, and fail later.
 *
 * @param version for example `24.21.0`
 * @throws SettingsError
 */
export function requireNode(version: string): void {
  if (Number.parseInt(version) < LEAST_NODE)
    throw new SettingsError(`Bearing needs Node ${String(LEAST_NODE)} or newer; this is ${version}.`)
}

/** Runs a program's main function. If it fails, prints why (one line for a wrong setting) and exits with 1. */
export function start(main: () => Promise<unknown>): void {
  void Promise.resolve()
    .then(() => {
      requireNode(process.versions.node)
      return main()
    })
    .catch((error: unknown) => {
      const text = error instanceof SettingsError ? error.message : String((error as Error).stack ?? error)
      process.stderr.write(`${text}\n`)
      process.exitCode = 1
      // Handles that were opened before the failure must not keep the process alive.
      setTimeout(() => process.exit(1), 500).unref()
    })
}
