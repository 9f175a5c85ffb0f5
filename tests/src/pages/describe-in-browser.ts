import { describe } from '@jest/globals'
import { hasChromium } from './chromium.js'

/** Runs the suite where a browser can be had. Elsewhere it is listed as skipped, with the reason: the pages are untested there. */
export function describeInBrowser(name: string, suite: () => void): void {
  if (hasChromium()) describe(name, suite)
  else describe.skip(`${name} (no Chromium: set CHROMIUM_PATH)`, suite)
}
