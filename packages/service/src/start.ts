import { SettingsError } from './settings.js'

/** Runs a program's main function. If it fails, prints why (one line for a wrong setting) and exits with 1. */
export function start(main: () => Promise<void>): void {
  void Promise.resolve()
    .then(main)
    .catch((error: unknown) => {
      const text = error instanceof SettingsError ? error.message : String((error as Error).stack ?? error)
      process.stderr.write(`${text}\n`)
      process.exitCode = 1
      // Handles that were opened before the failure must not keep the process alive.
      setTimeout(() => process.exit(1), 500).unref()
    })
}
