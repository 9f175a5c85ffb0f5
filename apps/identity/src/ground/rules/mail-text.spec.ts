import { describe, expect, it } from '@jest/globals'
import { invitationMail } from './mail-text.js'

describe('mails', () => {
  const link = 'https://bearing.example.com/invitation#s3cret'
  const expiresAt = new Date('2026-01-31T09:00:00Z')

  it('have the link as text and as HTML, and load nothing from elsewhere', () => {
    const { text, html } = invitationMail({ link, invitedBy: 'ada@example.com', expiresAt })
    expect(text).toContain(`\n${link}\n`)
    expect(html).toContain(`href="${link}"`)
    expect(html).not.toMatch(/src=|<link|<img|url\(/)
  })

  it('show what others have written as text', () => {
    const { html } = invitationMail({ link, invitedBy: `<b>"o'neil"&co@example.com`, expiresAt })
    expect(html).toContain('&lt;b&gt;&quot;o&#39;neil&quot;&amp;co@example.com')
  })
})
