import { describe, it } from '@jest/globals'
import { whyNoContainers } from '@bearing/start/images/container-tools'
import { whyNoHosts } from '@bearing/testing/hosts/hosts'

/**
 * Runs the suite where images can be built and run. Elsewhere it is listed as skipped, with the reason; in CI it fails: what was not
 * tested must not look as if it had passed.
 */
export function describeWithContainers(name: string, suite: () => void): void {
  const reason = whyNoContainers() ?? whyNoHosts()
  if (reason === undefined) describe(name, suite)
  else if (process.env['CI'] === undefined) describe.skip(`${name} (skipped: ${reason})`, suite)
  else
    describe(name, () => {
      it('needs containers', () => {
        throw new Error(`Images cannot be built and run here: ${reason}.`)
      })
    })
}
