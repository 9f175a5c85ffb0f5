import { once } from 'node:events'
import { freePort } from '@bearing/local/ports'
import { SMTPServer } from 'smtp-server'
import { eventually } from './eventually.js'

/** A mail as it came. */
export interface ReceivedMail {
  readonly to: readonly string[]
  /** With its headers; what the transport has encoded is decoded. */
  readonly text: string
}

/** A real mail server, in this process, that keeps what it gets. */
export class MailServer {
  readonly received: ReceivedMail[] = []
  private server: SMTPServer | undefined

  private constructor(private readonly port: number) {}

  /** Starts one. */
  static async start(): Promise<MailServer> {
    const server = new MailServer(await freePort())
    await server.start()
    return server
  }

  /** For `SMTP_URL`. */
  get url(): string {
    return `smtp://127.0.0.1:${this.port}?from=bearing@example.com`
  }

  /** Starts it again where it was stopped. */
  async start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address)
          this.received.push({ to, text: decode(Buffer.concat(chunks).toString('latin1')) })
          callback()
        })
      },
    })
    server.listen(this.port, '127.0.0.1')
    await once(server.server, 'listening')
    this.server = server
  }

  /** Stops the server: connections are refused. */
  async stop(): Promise<void> {
    const { server } = this
    this.server = undefined
    await new Promise<void>((resolve) => {
      if (server) server.close(resolve)
      else resolve()
    })
  }

  /** The mails to an address. */
  to(email: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(email))
  }

  /**
   * Waits for the newest link in the mails to an address.
   *
   * @param number of mails that have to be there, from 1
   * @returns the secret in the link
   */
  secretFor(email: string, number = 1): Promise<string> {
    return eventually(
      () => {
        const mails = this.to(email).filter(({ text }) => text.includes('#'))
        const secret = /#(?<secret>[\w-]{43})/.exec(mails[number - 1]?.text ?? '')?.groups?.['secret']
        if (secret === undefined) throw new Error(`there are ${mails.length} mails with a link to ${email}`)
        return secret
      },
      { withinMs: 60_000, everyMs: 50 },
    )
  }
}

/** Quoted-printable (RFC 2045), which is what ASCII with long lines comes as. */
function decode(raw: string): string {
  return raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}
