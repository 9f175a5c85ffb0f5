import { expect } from '@jest/globals'
import { placesOf } from './in-page.js'
import type { Visitor } from './visitor.js'

/**
 * Asserts that a secret is nowhere once its dialog has closed: not in the document or a field, in no storage, cookie or history, in no
 * URL that was requested, and not in the console.
 */
export async function expectGone(visitor: Visitor, ...secrets: readonly string[]): Promise<void> {
  const { page, urls, complaints, said, context } = visitor
  const places = JSON.stringify([
    await page.evaluate(placesOf),
    await context.cookies(),
    urls,
    complaints,
    said,
  ])
  for (const secret of secrets) {
    expect(secret).not.toBe('')
    expect(places).not.toContain(secret)
  }
}
