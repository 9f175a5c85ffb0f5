import { collectWhenDoubled } from './old-generation.js'
import { SettingsError } from './settings.js'
import { beginYoung, mayGrow } from './young-generation.js'

/**
 * Runs a program's main function; where it fails, says why in one line and exits with 1.
 *
 * What a program loads stays, and Node takes that for a reason to let its young generation grow: by 30 to 50 MiB that nothing
 * uses once the program runs, and that are not given back. So it may not grow before `main` is through, which has to load
 * what it needs by itself (`import()`). It grows as ever as soon as there is work that needs it (decision 52).
 */
export function start(main: () => Promise<void>): void {
  beginYoung()
  collectWhenDoubled()
  mayGrow(false)
  void Promise.resolve()
    .then(main)
    .then(() => {
      mayGrow(true)
    })
    .catch((error: unknown) => {
      const text = error instanceof SettingsError ? error.message : String((error as Error).stack ?? error)
      process.stderr.write(`${text}\n`)
      process.exitCode = 1
      // Whatever was opened before the failure must not keep the process up.
      setTimeout(() => process.exit(1), 500).unref()
    })
}
