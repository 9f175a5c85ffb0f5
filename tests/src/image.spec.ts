import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const ROOT = join(import.meta.dirname, '..', '..')

describe("the gateway's image", () => {
  it('has the pages of error codes where the gateway looks for them', async () => {
    const source = await readFile(join(ROOT, 'apps/gateway/src/reference/serve-reference.ts'), 'utf8')
    const relative = /new URL\('([^']+errors\/)', import\.meta\.url\)/.exec(source)?.[1] ?? ''
    const inImage = new URL(relative, 'file:///bearing/dist/reference/serve-reference.js').pathname
    const inCheckout = new URL(relative, `file://${ROOT}/apps/gateway/dist/reference/serve-reference.js`)
      .pathname
    expect(inCheckout).toBe(`${ROOT}/docs/errors/`)
    const dockerfile = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    expect(`${/COPY --from=build \/bearing\/docs\/errors (\S+)/.exec(dockerfile)?.[1] ?? ''}/`).toBe(inImage)
  })
})
