import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@jest/globals'
import { overflowOf } from './in-page.js'
import type { Visitor } from './visitor.js'

/** The narrowest screen, in CSS pixels: 1280 at a zoom of 400 % (WCAG 1.4.10). */
const NARROW = 320

/** Asserts that a page has no accessibility violation, no complaint of the browser, and one heading of the first level. */
export async function expectSound({ page, complaints }: Visitor, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
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
