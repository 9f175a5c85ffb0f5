import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@jest/globals'
import { overflowOf } from './in-page.js'
import type { Visitor } from './visitor.js'

/** The narrowest screen, in CSS pixels: 1280 at a zoom of 400 % (WCAG 1.4.10). */
const NARROW = 320

/** The rules that depend on whether a page is light or dark. */
const RULES_OF_COLOR = ['color-contrast']

/** Asserts that a page has no accessibility violation, no complaint of the browser, and one heading of the first level. */
export async function expectSound(visitor: Visitor, what: string): Promise<void> {
  await expectNone(visitor, axeOf(visitor), what)
}

/** Asserts that a page is sound in light and in dark: everything in one, what depends on colors in the other. */
export async function expectSoundInBoth(visitor: Visitor, what: string): Promise<void> {
  const { page } = visitor
  await expectSound(visitor, what)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNone(visitor, axeOf(visitor).withRules(RULES_OF_COLOR), `${what} in dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** In the page itself, not in a second one for each look: pages here have no frames of other origins. */
function axeOf({ page }: Visitor): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode()
}

async function expectNone({ complaints }: Visitor, axe: AxeBuilder, what: string): Promise<void> {
  // The last announcement names a button that may be gone meanwhile; it is emptied after some seconds.
  const { violations } = await axe.exclude('[data-live-announcer]').analyze()
  const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html.slice(0, 160)) }))
  expect({ what, found }).toEqual({ what, found: [] })
  expect({ what, complaints }).toEqual({ what, complaints: [] })
}

/** Asserts that a page fits a narrow screen: nothing has to be scrolled sideways. */
export async function expectNarrow({ page }: Visitor, what: string): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: NARROW, height: 800 })
  const overflow = await page.evaluate(overflowOf)
  expect({ what, overflow }).toEqual({ what, overflow: 0 })
  if (size) await page.setViewportSize(size)
}
