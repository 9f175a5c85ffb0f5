import { describe, expect, it } from '@jest/globals'
import { MailLines } from './mail-lines.js'

const mail = (to: string, subject: string) => [`[mail] to ${to}: ${subject}`, '[mail] Hello,', '[mail] Bye.']

describe('mails on the terminal', () => {
  it('are printed whole, except the next one to an address that start has announced', () => {
    const said: string[] = []
    const mails = new MailLines((line) => said.push(line))
    mails.skipNext('demo@example.com')
    const other = mail('ann@example.com', 'An invitation')
    const later = mail('demo@example.com', 'Set your password')
    for (const line of [...other, ...mail('demo@example.com', 'A new API key'), ...later])
      expect(mails.take(line)).toBe(true)
    expect(said).toEqual([...other, ...later])
  })

  it('are distinguished from lines of the log', () => {
    const said: string[] = []
    expect(new MailLines((line) => said.push(line)).take('{"msg":"[mail] is no mail"}')).toBe(false)
    expect(said).toEqual([])
  })
})
