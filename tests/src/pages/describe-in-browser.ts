import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals'
import type { TestUser } from '@bearing/testing/factories'
import type { Browser, Page } from 'playwright-core'
import { hasChromium, launchChromium } from './chromium.js'
import { Visitor, type Look } from './visitor.js'

/**
 * Lets a visitor come, who leaves after the test. The test fails if the browser had anything to complain of.
 *
 * @param user signs in, and opens the path
 */
export type Visit = (
  user?: Pick<TestUser, 'email' | 'password'>,
  path?: string,
  options?: Look & { readonly gateway?: string | undefined; readonly browser?: Browser },
) => Promise<{ readonly visitor: Visitor; readonly page: Page }>

/** Runs the suite where a browser can be had. Elsewhere it is listed as skipped, with the reason: the pages are untested there. */
export function describeInBrowser(name: string, suite: (visit: Visit) => void): void {
  const run = () => {
    let browser: Browser
    const visitors: Visitor[] = []
    beforeAll(async () => {
      browser = await launchChromium()
    })
    afterEach(async () => {
      const complaints = visitors.flatMap((visitor) => visitor.complaints)
      await Promise.all(visitors.splice(0).map((visitor) => visitor.leave()))
      expect(complaints).toEqual([])
    })
    afterAll(() => browser.close())
    suite(async (user, path, { gateway, browser: own = browser, ...look } = {}) => {
      const visitor = await Visitor.arrive(own, look, gateway)
      visitors.push(visitor)
      if (user) await visitor.signIn(user, path)
      return { visitor, page: visitor.page }
    })
  }
  if (hasChromium()) describe(name, run)
  else describe.skip(`${name} (no Chromium: set CHROMIUM_PATH)`, run)
}
