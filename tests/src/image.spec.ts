import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const ROOT = join(import.meta.dirname, '..', '..')

describe("the gateway's image", () => {
  it('has the pages that the gateway serves where it looks for them', async () => {
    const source = await readFile(join(ROOT, 'apps/gateway/src/reference/serve-reference.ts'), 'utf8')
    const relative = /new URL\('([^']+docs\/)', import\.meta\.url\)/.exec(source)?.[1] ?? ''
    const inImage = new URL(relative, 'file:///bearing/dist/reference/serve-reference.js').pathname
    const inCheckout = new URL(relative, `file://${ROOT}/apps/gateway/dist/reference/serve-reference.js`)
      .pathname
    expect(inCheckout).toBe(`${ROOT}/docs/`)
    const dockerfile = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    const [, pages = ''] = /\.\.\.ERROR_CODES\.map\(.*?\), ([^\]]+)\]/.exec(source) ?? []
    const names = [...pages.matchAll(/'([\w-]+)'/g)].map(([, name]) => `${name ?? ''}.md`)
    expect(names).not.toEqual([])
    for (const name of ['errors', ...names])
      expect(dockerfile).toContain(`COPY --from=build /bearing/docs/${name} ${inImage}${name}\n`)
  })
})
