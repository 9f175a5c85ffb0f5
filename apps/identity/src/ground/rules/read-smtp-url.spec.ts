import { describe, expect, it } from '@jest/globals'
import { readSmtpUrl } from './read-smtp-url.js'

describe('the address of a mail server', () => {
  const read = (text: string) => {
    const mistakes: string[] = []
    return { server: readSmtpUrl(text, (mistake) => mistakes.push(mistake)), mistakes }
  }

  it('is TLS, from the first byte or by STARTTLS, unless it is this machine or said otherwise', () => {
    expect(read('smtps://ada:p%40ss@mail.example.com?from=bearing@example.com').server).toEqual({
      from: 'bearing@example.com',
      host: 'mail.example.com',
      port: 465,
      secure: true,
      requireTLS: false,
      auth: { user: 'ada', pass: 'p@ss' },
    })
    expect(read('smtp://mail.example.com?from=b@example.com').server).toMatchObject({
      port: 587,
      requireTLS: true,
    })
    expect(read('smtp://mail.example.com?from=b@example.com&tls=optional').server).toMatchObject({
      requireTLS: false,
    })
    expect(read('smtp://[::1]:2525?from=b%2Bmail@example.com').server).toMatchObject({
      ...{ from: 'b+mail@example.com', host: '::1', port: 2525, requireTLS: false },
    })
  })

  it.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://h',
    'smtp://h?from=no-address',
    'smtp://h?from=b@example.com&requireTLS=false',
  ])('is refused where it is not clear: %s', (text) => {
    const { server, mistakes } = read(text)
    expect(server).toBeUndefined()
    expect(mistakes).toHaveLength(1)
  })

  it('never shows its password in a mistake', () => {
    expect(read('smtp://ada:hunter2@').mistakes.join()).not.toContain('hunter2')
  })
})
