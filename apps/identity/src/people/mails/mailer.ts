import { OperationError } from '@bearing/contracts/errors'
import type { MailText } from '../../ground/rules/mail-text.js'

/** Sends one mail. */
export type SendMail = (to: string, mail: MailText) => Promise<void>

/** The way that mails take, if there is one. */
export class Mailer {
  /**
   * @param send undefined where mails cannot be sent
   * @param publicUrl what links begin with
   */
  constructor(
    readonly send: SendMail | undefined,
    private readonly publicUrl: string,
  ) {}

  /**
   * Refuses what is of no use without mail.
   *
   * @throws OperationError `mail_not_configured`
   */
  refuseUnlessConfigured(): void {
    if (!this.send)
      throw new OperationError(
        'mail_not_configured',
        'This Bearing cannot send mail. Whoever runs it has to set SMTP_URL, MAIL_FROM and PUBLIC_URL of identity.',
      )
  }

  /**
   * A link with a secret. The secret is behind the "#", which browsers send to nobody, so it is in no log.
   *
   * @param page what is opened: a path without a slash in front
   */
  link(page: string, secret: string): string {
    const url = new URL(page, this.publicUrl.replace(/\/*$/, '/'))
    url.hash = secret
    return url.href
  }
}

/** Begins a line that `pnpm start` shows on the terminal and writes to no file. */
const LOCAL_MAIL = '[mail]'

/** Prints mails instead of sending them: for `pnpm start`, on the machine of a developer, and nothing else. */
export function localTransport(print: (text: string) => void): SendMail {
  return (to, { subject, text }) => {
    const lines = [`to ${to}: ${subject}`, ...text.split('\n').filter((line) => line !== '')]
    print(lines.map((line) => `${LOCAL_MAIL} ${line}\n`).join(''))
    return Promise.resolve()
  }
}
