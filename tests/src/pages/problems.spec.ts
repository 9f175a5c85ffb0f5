import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'
import { clipboardOf } from './in-page.js'
import type { Visitor } from './visitor.js'

/** Seconds after which the overloaded server wants to be asked again. */
const RETRY_AFTER = 2

describeInBrowser('an error', (visit) => {
  const organization = forSuite(() => newOrganization())

  it('of a service that is away says so with code, request id and a countdown, and the page recovers', async () => {
    const { visitor, page } = await visit()
    const requestId = randomUUID()
    let isAway = true
    await page.route('**/auth_tokens?**', (route) =>
      isAway
        ? route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            headers: { 'retry-after': String(RETRY_AFTER), 'x-request-id': requestId },
            body: JSON.stringify({
              type: `${visitor.gateway}/docs/errors/service_unavailable`,
              title: 'Service unavailable',
              status: 503,
              detail: 'Identity does not respond. Try again shortly.',
              code: 'service_unavailable',
              request_id: requestId,
            }),
          })
        : route.fallback(),
    )
    await visitor.signIn(organization.admin, `/app/o/${organization.slug}/admin/tokens`)
    const alert = page.getByRole('main').getByRole('alert')
    await alert.getByText('Identity does not respond. Try again shortly.').waitFor()
    await expectShown(visitor, 'service_unavailable', requestId)
    await expectSound(visitor, 'an error')
    isAway = false
    // Disabled while the countdown runs: the click waits for its end.
    await alert.getByRole('button', { name: 'Try again', exact: true }).click()
    await page.getByRole('rowheader').first().waitFor()
    await alert.waitFor({ state: 'detached' })
  })

  it('of a conflict keeps what was typed, and shows the code and the request id of the server', async () => {
    const taken = await newProject(organization)
    const { visitor, page } = await visit()
    await visitor.signIn(
      organization.admin,
      `/app/o/${organization.slug}/p/${organization.project.slug}/settings/general`,
    )
    await visitor.sees('General')
    await page.getByRole('textbox', { name: 'Project slug' }).fill(taken.slug)
    const [reply] = await Promise.all([
      page.waitForResponse((response) => response.status() === 409),
      page.getByRole('button', { name: 'Rename the project' }).click(),
    ])
    const { request_id } = (await reply.json()) as { readonly request_id: string }
    await expectShown(visitor, 'slug_taken', request_id)
    expect(await page.getByRole('textbox', { name: 'Project slug' }).inputValue()).toBe(taken.slug)
  })
})

/** Asserts that an error shows its code, which leads to its page, and the id of its request, which can be copied. */
async function expectShown({ page, context }: Visitor, code: string, requestId: string): Promise<void> {
  const alert = page.getByRole('main').getByRole('alert').first()
  await alert.getByText(`request ${requestId}`, { exact: true }).waitFor()
  await alert.getByRole('button', { name: 'Copy the request id' }).click()
  await eventually(async () => {
    expect(await page.evaluate(clipboardOf)).toBe(requestId)
  })
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    alert.getByRole('link', { name: code, exact: true }).click(),
  ])
  await opened.getByRole('heading', { level: 1, name: code, exact: true }).waitFor()
  expect(new URL(opened.url()).pathname).toBe(`/docs/errors/${code}`)
  await opened.close()
}
