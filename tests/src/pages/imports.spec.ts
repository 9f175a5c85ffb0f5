import { MAX_PACKED_ROWS } from '@bearing/contracts/location/access-points/access-point-import'
import { newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { dragOf } from './in-page.js'

describeInBrowser('the page of imports', (visit) => {
  const organization = forSuite(() => newOrganization())
  const imports = () => `/app/o/${organization.slug}/p/${organization.project.slug}/location/imports`

  it('takes a file that is dropped on it, and continues an import that a reload has interrupted', async () => {
    const rows = MAX_PACKED_ROWS + 100
    const { visitor, page } = await visit(organization.admin, imports())
    await visitor.sees('Imports')
    const text = ['bssid,lat,lon', ...Array.from({ length: rows }, (_, index) => surveyed(index))].join('\n')
    const file = { name: 'fleet.csv', text }
    const drop = async () => {
      const zone = page.locator('label.drop')
      const drag = await page.evaluateHandle(dragOf, file)
      await zone.dispatchEvent('dragover', { dataTransfer: drag })
      await page.locator('label.drop[data-over]').waitFor()
      await zone.dispatchEvent('drop', { dataTransfer: drag })
      await page.getByText(`${rows.toLocaleString('en')} rows`, { exact: true }).waitFor()
      await page.getByText('Nothing has been sent.').waitFor()
      await page.getByRole('button', { name: `Import ${rows.toLocaleString('en')} rows` }).click()
    }
    // The second batch gets no reply before the page is gone.
    const sent: string[] = []
    let isCut = true
    await page.route('**/imports/*/batches/*', async (route) => {
      const batch = route.request().url().split('/').at(-1) ?? ''
      sent.push(batch)
      if (batch === '0' || !isCut) await route.fallback()
    })
    await drop()
    await page
      .getByText(`${MAX_PACKED_ROWS.toLocaleString('en')} of ${rows.toLocaleString('en')} rows`)
      .waitFor()
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await visitor.sees('Imports')
    await page.getByText(`${MAX_PACKED_ROWS.toLocaleString('en')} rows stored; drop the file again`).waitFor()
    expect(sent.sort()).toEqual(['0', '1'])
    isCut = false
    sent.length = 0
    await drop()
    await page.getByText(`fleet.csv is imported: ${rows.toLocaleString('en')} rows`).waitFor()
    expect(sent).toEqual(['1'])
  })
})

/** A line of a survey. Each access point is elsewhere. */
function surveyed(index: number): string {
  const digits = index.toString(16).padStart(6, '0')
  const address = ['06', '00', '00', ...(digits.match(/../g) ?? [])].join(':')
  return `${address},${(47 + (index % 128) * 1e-3).toFixed(5)},${(10 + Math.floor(index / 128) * 1e-3).toFixed(5)}`
}
