import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { newOrganization } from '@bearing/testing/factories'
import { elfFile } from '@bearing/start/demo/elf-file'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'

describeInBrowser('the pages of files', (visit) => {
  const organization = forSuite(() => newOrganization())
  const page = (path: string) => `/app/o/${organization.slug}/p/${organization.project.slug}/${path}`

  it('upload and download a coredump, and say that its version lacks symbols until they are uploaded', async () => {
    const { visitor, page: shown } = await visit()
    const content = randomBytes(300_000)
    await visitor.signIn(organization.admin, page('files'))
    await visitor.sees('Files')
    await shown.getByRole('button', { name: 'Upload' }).click()
    const dialog = shown.getByRole('dialog')
    await dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'core.bin', mimeType: 'application/octet-stream', buffer: content })
    await dialog.getByLabel('Serial number of the device').fill('CRANE-7')
    await dialog.getByLabel('Software type').fill('main')
    await dialog.getByLabel('Software version').fill('1.4.2')
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await shown.getByText('1 file', { exact: true }).waitFor()
    const download = shown.waitForEvent('download')
    await shown.getByRole('link', { name: 'core.bin' }).click()
    const saved = await (await download).path()
    expect((await readFile(saved)).equals(content)).toBe(true)
    await shown.getByRole('link', { name: 'CRANE-7' }).waitFor()
    await expectSound(visitor, 'files')
    await shown.goto(page('symbols'))
    const row = shown.getByRole('row', { name: /main 1\.4\.2/ })
    await row.getByText('none').waitFor()
    const buildId = randomBytes(20)
    await shown.getByRole('button', { name: 'Upload' }).click()
    await dialog
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'main.elf', mimeType: 'application/octet-stream', buffer: elfFile(buildId) })
    await dialog.getByLabel('Software type').fill('main')
    await dialog.getByLabel('Software version').fill('1.4.2')
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await shown.getByRole('link', { name: 'main.elf' }).waitFor()
    await row.first().getByText('1 file').waitFor()
    await shown.goto(page(`symbols?build_id=${buildId.toString('hex')}`))
    await shown.getByRole('link', { name: 'main.elf' }).waitFor()
    await shown.goto(page(`symbols?build_id=${'00'.repeat(20)}`))
    await shown.getByText('There are no symbols with this build id.').waitFor()
  })

  it('change what is kept only after saying what a shorter retention deletes, and what the project key may do', async () => {
    const { visitor, page: shown } = await visit()
    const { client } = organization.admin
    const address = { organization: organization.slug, project: organization.project.slug }
    await visitor.signIn(organization.admin, page('settings/data'))
    await shown.getByText('Chunks are kept until their device is deleted.').waitFor()
    await shown.getByLabel('Chunks', { exact: true }).fill('30')
    await shown.getByText('Chunks are deleted after 30 days. changed').waitFor()
    await shown.getByRole('button', { name: 'Save', exact: true }).click()
    await shown.getByRole('alertdialog').getByText('all chunks that are older than 30 days').waitFor()
    expect(await client.call('showDataPolicy', address)).toMatchObject({ retention_days: null })
    await shown.getByRole('button', { name: 'Save and delete' }).click()
    await shown.getByRole('heading', { name: 'Current policy' }).waitFor()
    expect(await client.call('showDataPolicy', address)).toMatchObject({ retention_days: 30 })
    await shown.goto(page('settings/positions'))
    await shown.getByText('Store positions of devices').click()
    await shown.getByRole('button', { name: 'Save', exact: true }).click()
    await shown.getByRole('heading', { name: 'Current policy' }).waitFor()
    expect(await client.call('showPositionPolicy', address)).toMatchObject({ store_positions: true })
    await shown.goto(page('settings/project-key'))
    await shown.getByText('Contribute observations').click()
    await shown.getByText('As a command').first().click()
    await shown.getByText('--key-may-locate no --key-may-contribute yes').waitFor()
    const powers = shown.locator('form', { hasText: 'Contribute observations' })
    await powers.getByRole('button', { name: 'Save', exact: true }).click()
    await powers.locator('button:disabled', { hasText: 'Save' }).waitFor()
    expect(await client.call('showProjectSettings', address)).toMatchObject({
      project_key_may_locate: false,
      project_key_may_contribute: true,
    })
    await shown.goto(`/app/o/${organization.slug}/admin/usage?days=7`)
    await shown.getByRole('heading', { name: 'By credential' }).waitFor()
    await shown.getByText('As a table').first().click()
    await shown.locator('.figures tbody').first().waitFor()
    expect(await shown.locator('.figures tbody').first().locator('tr').count()).toBe(7)
  })
})
