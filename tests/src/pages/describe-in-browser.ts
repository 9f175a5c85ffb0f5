import { describe } from '@jest/globals'
import { hasChromium } from './chromium.js'

/** Where a browser can be had, the suite runs; elsewhere it is listed as skipped. */
export function describeInBrowser(name: string, suite: () => void): void {
  if (hasChromium()) describe(name, suite)
  else describe.skip(`${name} (no Chromium: set CHROMIUM_PATH)`, suite)
}
