import { randomUUID } from 'node:crypto'
import { createPartnerConnection } from '@bearing/contracts/identity/sso/partner'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { RealProvider } from '../tools/real-provider.js'
import { gateway } from '../tools/single-sign-on.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSound } from './expect-sound.js'
import { pressByKey, tabTo, typeByKey } from './keyboard.js'
import { loseNextReply } from './lost-reply.js'
import type { Visitor } from './visitor.js'

describeInBrowser("the way from a partner's console", (visit) => {
  const provider = forSuite(() => RealProvider.start('localhost'))
  let start: string
  let callback: string
  let team: string

  beforeAll(async () => {
    const connection = await callAsOperator(createPartnerConnection, {
      name: 'Cloud console',
      issuer: provider.issuer,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      team_id_claim: 'team_id',
      team_name_claim: 'team_name',
    })
    start = `${gateway()}${connection.sign_in_path}?return_to=/partner`
    callback = `${gateway()}${connection.callback_path}`
  })

  beforeEach(() => {
    team = `Team ${randomUUID().slice(0, 8)}`
    provider.claims = { team_id: randomUUID(), team_name: team }
    provider.person = `person-${randomUUID().slice(0, 8)}`
    provider.allow(callback)
  })

  async function comeFromConsole(visitor: Visitor): Promise<void> {
    await visitor.page.goto(provider.consoleFor(start))
    await visitor.page.getByRole('link', { name: 'Location' }).click()
  }

  /** Waits for Location of the default project. @returns the slug of the organization */
  async function landed(visitor: Visitor): Promise<string> {
    await visitor.page.waitForURL(/\/app\/o\/[\w-]+\/p\/default\/location$/)
    await visitor.sees('Map')
    await visitor.page.getByText('Last known positions of the devices of default').waitFor()
    return /\/o\/([\w-]+)\//.exec(visitor.page.url())?.[1] ?? ''
  }

  it('asks a new team once, creates its organization even if the reply was lost, and asks nobody at the second visit', async () => {
    const { visitor, page } = await visit()
    await comeFromConsole(visitor)
    await visitor.sees('Connect your team')
    await page.getByText(`It is called ${team}, and contains a project "default".`).waitFor()
    await expectSound(visitor, 'partner')
    await expectNarrow(visitor, 'partner')
    await loseNextReply(visitor, '/auth/partner_team/create')
    await page.getByRole('button', { name: 'Create the organization' }).click()
    await page.getByText('The server did not answer.').waitFor()
    await page.getByRole('button', { name: 'Create the organization' }).click()
    const slug = await landed(visitor)
    const rows = await queryIdentity('SELECT organization_id FROM partner_teams WHERE team_id = $1', [
      provider.claims['team_id'],
    ])
    expect(rows).toHaveLength(1)

    await comeFromConsole(visitor)
    expect(await landed(visitor)).toBe(slug)
    expect(visitor.complaints).toEqual([])
    await visitor.leave()

    const { visitor: colleague } = await visit()
    provider.person = `person-${randomUUID().slice(0, 8)}`
    await comeFromConsole(colleague)
    // The prompt is not shown again, and the second person sees the same page as the first.
    expect(await landed(colleague)).toBe(slug)
  })

  it('links an organization that exists by keyboard alone, after one of its admins has confirmed', async () => {
    const organization = await newOrganization()
    const { visitor, page } = await visit()
    await page.goto(provider.consoleFor(start))
    await pressByKey(page, page.getByRole('link', { name: 'Location' }))
    await visitor.sees('Connect your team')
    await tabTo(page, page.getByRole('radio', { name: 'A new organization' }))
    await page.keyboard.press('ArrowDown')
    await typeByKey(page, page.getByLabel('Organization Slug'), organization.slug)
    await loseNextReply(visitor, '/auth/partner_team/link')
    await page.keyboard.press('Enter')
    await page.getByText('The server did not answer.').waitFor()
    await pressByKey(page, page.getByRole('button', { name: 'Ask to link' }))
    await page.getByText(`An admin of the organization has to confirm that ${team} belongs to it.`).waitFor()
    await expectSound(visitor, 'partner waits')

    const { visitor: admin } = await visit(
      organization.admin,
      `/app/o/${organization.slug}/admin/single-sign-on`,
    )
    await pressByKey(admin.page, admin.page.getByRole('button', { name: `Confirm ${team}` }))
    const link = admin.page.getByRole('alertdialog').getByRole('button', { name: 'Link the team' })
    await expectSound(admin, 'confirm a link')
    await pressByKey(admin.page, link)
    await admin.page.getByText('No team waits.').waitFor()
    await admin.leave()

    // The page continues automatically, to the project that the admin's dialog named.
    await visitor.sees('Map')
  })

  it('leads a team that was refused back to the question', async () => {
    const organization = await newOrganization()
    const { visitor, page } = await visit()
    await comeFromConsole(visitor)
    await page.getByText('An organization that exists').click()
    await page.getByLabel('Organization Slug').fill(organization.slug)
    await page.getByRole('button', { name: 'Ask to link' }).click()
    await page.getByText('has to confirm that').waitFor()
    const { visitor: admin } = await visit(
      organization.admin,
      `/app/o/${organization.slug}/admin/single-sign-on`,
    )
    await admin.page.getByRole('button', { name: `Refuse ${team}` }).click()
    await admin.page.getByText('No team waits.').waitFor()
    await admin.leave()
    await page.getByRole('button', { name: 'Create the organization' }).waitFor()
  })
})
