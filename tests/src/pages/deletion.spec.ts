import { newOrganization } from '@bearing/testing/factories'
import { expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSound } from './expect-sound.js'
import { pressByKey, typeByKey } from './keyboard.js'

describeInBrowser('the pages about deletion', (visit) => {
  it('delete a project after its slug was typed, restore it, and erase it without a trace', async () => {
    const { admin, slug, project } = await newOrganization()
    const general = `/app/o/${slug}/p/${project.slug}/settings/general`
    const { visitor, page } = await visit()
    const dialog = page.getByRole('alertdialog')
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete the project …' }).click()
      await dialog.getByText('What stops').waitFor()
      expect(await dialog.getByRole('button', { name: 'Delete the project' }).isDisabled()).toBe(true)
      await dialog.getByLabel(`Type ${project.slug} to confirm`).fill(project.slug)
      await dialog.getByRole('button', { name: 'Delete the project' }).click()
      await visitor.sees('Deleted')
      await page.getByText('stopped', { exact: true }).waitFor()
    }
    await visitor.signIn(admin, general)
    await visitor.sees('General')
    await remove()
    await expectSound(visitor, 'deleted project')
    await expectNarrow(visitor, 'deleted project')
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('No deleted projects').waitFor()
    const { data } = await admin.client.call('listProjects', { organization: slug })
    expect(data.map(({ id }) => id)).toEqual([project.id])
    await page.goto(general)
    await remove()
    await page.getByRole('button', { name: 'Erase now …' }).click()
    await dialog.getByLabel(`Type ${project.slug} to confirm`).fill(project.slug)
    await dialog.getByRole('button', { name: 'Erase it now' }).click()
    await page.getByText(`${project.name} is erased. Nothing of it is left.`).waitFor({ timeout: 120_000 })
  })

  it('delete an organization by keyboard alone, show its state at every address, restore it, and erase it with progress', async () => {
    const { admin, slug, name, project } = await newOrganization()
    const general = `/app/o/${slug}/p/${project.slug}/settings/general`
    const { visitor, page } = await visit()
    const dialog = page.getByRole('alertdialog')
    const remove = async () => {
      await pressByKey(page, page.getByRole('button', { name: 'Delete the organization …' }))
      await typeByKey(page, dialog.getByLabel(`Type ${slug} to confirm`), slug)
      await page.keyboard.press('Enter')
      await visitor.sees('Deleted organization')
    }
    await visitor.signIn(admin, general)
    await visitor.sees('General')
    await remove()
    await expectSound(visitor, 'deleted organization')
    await page.goto(general)
    await visitor.sees('Deleted organization')
    await page.goto('/app')
    await pressByKey(page, page.getByRole('link', { name }))
    await visitor.sees('Deleted organization')
    await pressByKey(page, page.getByRole('button', { name: 'Restore' }))
    await visitor.sees('Deleted')
    const { data } = await admin.client.call('listProjects', { organization: slug })
    expect(data.map(({ id }) => id)).toEqual([project.id])
    await page.goto(general)
    await visitor.sees('General')
    await remove()
    await pressByKey(page, page.getByRole('button', { name: 'Erase now …' }))
    await typeByKey(page, dialog.getByLabel(`Type ${slug} to confirm`), slug)
    await page.keyboard.press('Enter')
    await page.getByText('It cannot be restored any more.').waitFor()
    await page.getByRole('heading', { name: 'The organization is erased' }).waitFor({ timeout: 120_000 })
  })
})
