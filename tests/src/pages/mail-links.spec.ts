import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newUser } from '@bearing/testing/factories'
import { MailServer } from '@bearing/testing/mail-server'
import { startStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'
import { pressByKey, typeByKey } from './keyboard.js'
import { ROOT } from '../tools/root.js'

const PASSWORD = 'four words nobody guesses'
/** Stands in mails for the address of the gateway, whose port is not known before it has started. */
const PUBLIC = 'https://bearing.example.com'

describeInBrowser('a link in a mail', (visit) => {
  const mails = forSuite(() => MailServer.start())
  const stack = forSuite(() =>
    startStack({
      services: ['identity', 'management'],
      gateways: 1,
      environment: {
        identity: {
          SMTP_URL: mails.url,
          MAIL_TO_LOG: '',
          PUBLIC_URL: PUBLIC,
        },
        gateway: { PUBLIC_URL: '' },
      },
    }),
  )
  const organization = forSuite(() => newOrganization(stack))

  const gateway = () => stack.gatewayUrls[0] ?? ''

  /** Invites an address that has no account. @returns the address */
  async function invite(): Promise<string> {
    const email = `invited-${randomBytes(6).toString('hex')}@example.com`
    await organization.admin.client.call('createInvitation', {
      organization: organization.slug,
      email,
      role: 'member',
      projects: [],
    })
    return email
  }

  /** Waits for the mail to an address that links to a page. @returns its link, at the gateway of this test */
  const linkTo = (email: string, page = '') =>
    eventually(() => {
      const mail = mails.received.findLast(
        ({ to, text }) => to.includes(email) && text.includes(`${PUBLIC}/${page}`),
      )
      const text = mail?.text ?? ''
      const [link] = new RegExp(`${PUBLIC}/[\\w/-]+#[\\w-]{43}`).exec(text) ?? []
      if (link === undefined) throw new Error('no mail yet')
      return link.replace(PUBLIC, gateway())
    })

  it('of an invitation lets its reader choose a password, join and sign in', async () => {
    const email = await invite()
    const { visitor, page } = await visit(undefined, undefined, { gateway: gateway() })
    const link = await linkTo(email)
    expect((await page.goto(link))?.status()).toBe(200)
    await visitor.sees('You are invited')
    await page.getByText(organization.admin.email).waitFor()
    expect(page.url()).toBe(`${gateway()}/invitation`)
    await expectSound(visitor, 'invitation')
    await page.getByLabel('Choose a password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account and join' }).click()
    await visitor.sees('Sign in')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await visitor.sees('Home')
    // Used: the same link says so, with code and request id.
    await page.goto(link)
    await page.getByRole('alert').getByText('invitation_').waitFor()
    // The secret was never in a request.
    expect(visitor.urls.join('\n')).not.toContain(link.split('#')[1])
  })

  it('of a password reset lets its reader set a new password and sign in with it', async () => {
    const { email } = await newUser(stack)
    const { visitor, page } = await visit(undefined, undefined, { gateway: gateway() })
    await page.goto('/sign-in')
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await visitor.sees('Set a new password')
    await expectSound(visitor, 'password reset')
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await visitor.sees('Look into your mail')
    // In the same tab: only the part after the "#" changes, and the page has to notice.
    await page.goto(await linkTo(email))
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await visitor.sees('Sign in')
    await visitor.signIn({ email, password: PASSWORD })
    await visitor.sees('Organizations')
  })

  it('of an invitation and of a password reset is followed by keyboard alone', async () => {
    const email = await invite()
    const { visitor, page } = await visit(undefined, undefined, { gateway: gateway() })
    await page.goto(await linkTo(email, 'invitation'))
    await typeByKey(page, page.getByLabel('Choose a password'), PASSWORD)
    await page.keyboard.press('Enter')
    await visitor.sees('Sign in')
    await pressByKey(page, page.getByRole('button', { name: 'Continue', exact: true }))
    await pressByKey(page, page.getByRole('link', { name: 'Forgot your password?' }))
    await visitor.sees('Set a new password')
    await typeByKey(page, page.getByLabel('Email address'), email)
    await page.keyboard.press('Enter')
    await visitor.sees('Look into your mail')
    await page.goto(await linkTo(email, 'password-reset'))
    await typeByKey(page, page.getByLabel('New password'), `${PASSWORD} again`)
    await page.keyboard.press('Enter')
    await visitor.sees('Sign in')
  })

  it('leads to a page, whichever page identity links to', async () => {
    const sources = await Promise.all(
      [
        'organizations/invitations/compose-invitation.ts',
        'people/mails/compose-password-reset.ts',
        'people/emails/compose-email-change.ts',
      ].map((path) => readFile(join(ROOT, 'apps/identity/src', path), 'utf8')),
    )
    const pages = sources.flatMap((text) =>
      [...text.matchAll(/mailer\.link\('([^']+)'/g)].map(([, page]) => page),
    )
    expect(pages).toHaveLength(3)
    for (const page of pages) {
      const reply = await fetch(`${gateway()}/${page ?? ''}`)
      expect([page, reply.status, reply.headers.get('content-type')]).toEqual([
        page,
        200,
        'text/html; charset=utf-8',
      ])
    }
  })
})
