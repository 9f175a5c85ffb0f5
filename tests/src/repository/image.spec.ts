import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { ROOT } from '../tools/root.js'

describe("the gateway's image", () => {
  it.each([
    ['dashboard', 'dashboard/dashboard-files'],
    ['docs', 'reference/documentation-files'],
  ])('has the pages of %s where the gateway looks for them', async (app, file) => {
    const source = await readFile(join(ROOT, `apps/gateway/src/${file}.ts`), 'utf8')
    const relative = /new URL\('([^']+pages\/)', import\.meta\.url\)/.exec(source)?.[1] ?? ''
    const inCheckout = new URL(relative, `file://${ROOT}/apps/gateway/dist/${file}.js`).pathname
    expect(inCheckout).toBe(`${ROOT}/apps/${app}/dist/pages/`)
    const inImage = new URL(relative, `file:///bearing/dist/${file}.js`).pathname
    const dockerfile = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    expect(dockerfile).toContain(
      `COPY --from=build /bearing/apps/${app}/dist/pages ${inImage.slice(0, -1)}\n`,
    )
  })
})
