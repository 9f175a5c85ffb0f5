import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newProject } from '@bearing/testing/factories'
import { MailServer } from '@bearing/testing/mail-server'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { RECEIVER_ADDRESS, WebhookReceiver } from '../tools/webhook-receiver.js'

/** Long enough for a second notice to arrive, in milliseconds. */
const QUIET_MS = 2_000

describe('organization tokens that are about to expire', () => {
  const mails = forSuite(() => MailServer.start())
  const receiver = forSuite(() => WebhookReceiver.start())
  const stack = forSuite(() =>
    startStack({
      gateways: 1,
      services: ['identity', 'management'],
      environment: {
        identity: {
          SMTP_URL: mails.url,
          PUBLIC_URL: 'https://bearing.example.com',
        },
        management: { WEBHOOK_PRIVATE_RANGES: `${RECEIVER_ADDRESS}/32` },
      },
    }),
  )
  const own = forSuite(() => newOrganization(stack))

  const create = (description: string, more: object = {}) =>
    own.admin.client.call('createOrganizationToken', {
      organization: own.slug,
      description,
      expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      ...more,
    })
  /** Moves the ends of tokens, as if so many days were left. Rotated ones keep their grace. */
  const leave = async (days: number, ...ids: string[]) => {
    await using client = await connectTo(stack.adminDatabaseUrl)
    await client.query(
      `UPDATE identity.organization_tokens SET expires_at = now() + make_interval(secs => $1), created_at = now() - interval '30 days' WHERE id = ANY ($2::uuid[])`,
      [days * 86_400, ids],
    )
  }
  /** Kills identity. It looks for expiring tokens when it starts. */
  const killAndStart = async () => {
    await stack.part('identity').kill()
    await stack.part('identity').start()
  }
  const about = ({ id }: { id: string }) => mails.received.filter(({ text }) => text.includes(id))
  const hooksAbout = ({ id }: { id: string }) =>
    receiver.received.filter(({ json }) => json.data['organization_token_id'] === id)

  it('are mailed to admins and sent to webhooks of the projects they reach, once for each threshold, also after kills', async () => {
    const member = await newMember(own, 'member', [], stack)
    const elsewhere = await newProject(own)
    const at = { organization: own.slug, url: receiver.url }
    const events = ['organization_token.expiring'] as const
    for (const { slug } of [own.project, elsewhere])
      await own.token.client.call('createWebhook', { ...at, project: slug, events: [...events] })
    // Not subscribed: the event is sent only where it is named.
    await own.token.client.call('createWebhook', { ...at, project: own.project.slug })
    const everywhere = await create('nightly build')
    const bound = await create('firmware', { project_ids: [elsewhere.id] })
    const rotated = await create('rotated')
    await own.admin.client.call('rotateOrganizationToken', {
      organization: own.slug,
      organization_token_id: rotated.id,
      grace_seconds: 86_400 * 7,
    })
    const deleted = await create('deleted')
    await leave(6.9, everywhere.id, bound.id, rotated.id, deleted.id)
    await own.admin.client.call('deleteOrganizationToken', {
      organization: own.slug,
      organization_token_id: deleted.id,
    })
    await killAndStart()
    await eventually(() => {
      expect(about(everywhere)).toHaveLength(1)
      expect(about(bound)).toHaveLength(1)
      expect(hooksAbout(everywhere)).toHaveLength(2)
      expect(hooksAbout(bound)).toHaveLength(1)
    })
    await killAndStart()
    await killAndStart()
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    expect([about(everywhere).length, about(bound).length]).toEqual([1, 1])
    expect([hooksAbout(everywhere).length, hooksAbout(bound).length]).toEqual([2, 1])
    for (const gone of [rotated, deleted]) {
      expect(about(gone)).toEqual([])
      expect(hooksAbout(gone)).toEqual([])
    }
    expect(about(everywhere)[0]).toMatchObject({
      to: [own.admin.email],
      text: expect.stringContaining('nightly build'),
    })
    expect(mails.to(member.email).filter(({ text }) => text.includes('nightly build'))).toEqual([])
    expect(hooksAbout(bound)[0]?.json).toMatchObject({
      type: 'organization_token.expiring',
      data: { organization_id: own.id, project_id: elsewhere.id, days_left: 7 },
    })
    // The requests contain neither the secret nor the name of the token.
    for (const { body } of receiver.received) expect(body).not.toMatch(/brgo_|nightly|firmware/)

    await leave(0.9, everywhere.id)
    await killAndStart()
    await eventually(() => {
      expect(about(everywhere)).toHaveLength(2)
      expect(hooksAbout(everywhere)).toHaveLength(4)
    })
  })
})
