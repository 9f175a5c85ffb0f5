import { createServer, type AddressInfo, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from '@jest/globals'
import { smtpTransport } from './smtp-transport.js'

const MAIL = { subject: 'x', text: 'y', html: 'y' }

describe('sending a mail', () => {
  let server: Server | undefined

  afterEach(() => {
    server?.close()
  })

  /** A mail server that answers who names a recipient with such a line. */
  async function serve(recipient: string): Promise<number> {
    const made = createServer((socket) => {
      const say = (line: string) => socket.write(`${line}\r\n`)
      let isText = false
      say('220 mail.example.com')
      createInterface(socket).on('line', (line) => {
        if (isText && line !== '.') return
        isText = line === 'DATA'
        say(isText ? '354 continue' : line.startsWith('RCPT') ? recipient : '250 ok')
      })
    })
    server = made
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
    return (made.address() as AddressInfo).port // it listens
  }

  async function outcomesOf(port: number): Promise<string[]> {
    const outcomes: string[] = []
    const at = { host: '127.0.0.1', port, secure: false, requireTLS: false, auth: undefined }
    const send = smtpTransport({ from: 'bearing@example.com', ...at }, (outcome, durationMs) => {
      expect(durationMs).toBeGreaterThan(0)
      outcomes.push(outcome)
    })
    await send('ada@example.com', MAIL).catch(() => undefined)
    return outcomes
  }

  it.each([
    ['ok', '250 ok'],
    ['4xx', '450 later'],
    ['5xx', '550 nobody'],
  ])('is counted as %s where the server says so', async (outcome, recipient) => {
    expect(await outcomesOf(await serve(recipient))).toEqual([outcome])
  })

  it('is counted as unreachable where nobody listens', async () => {
    expect(await outcomesOf(1)).toEqual(['unreachable'])
  })
})
