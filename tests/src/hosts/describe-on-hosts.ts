import { describe, it } from '@jest/globals'
import { whyNoHosts } from '@bearing/testing/hosts/hosts'

/**
 * Runs the suite where hosts can be had. Elsewhere it is listed as skipped, with the reason; in CI it fails: what was not tested must
 * not look as if it had passed.
 */
export function describeOnHosts(name: string, suite: () => void): void {
  const reason = whyNoHosts()
  if (reason === undefined) describe(name, suite)
  else if (process.env['CI'] === undefined) describe.skip(`${name} (skipped: ${reason})`, suite)
  else
    describe(name, () => {
      it('needs hosts', () => {
        throw new Error(`This machine has no hosts for tests: ${reason}.`)
      })
    })
}
