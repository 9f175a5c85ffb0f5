import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { withResources } from './resources-page.js'

it('the page describes every resource as it is', () => {
  const page = readFileSync(new URL('../../../../docs/terraform.md', import.meta.url), 'utf8')
  // Prettier aligns tables.
  const squeeze = (text: string) => text.replaceAll(/[\s-]+/g, ' ')
  expect(squeeze(page)).toBe(squeeze(withResources(page)))
})
