import { OperationError } from '@bearing/contracts/errors'
import type { MailText } from '../../ground/rules/mail-text.js'

export type SendMail = (to: string, mail: MailText) => Promise<void>

/** Sends mails, if a mail server is configured. */
export class Mailer {
  /**
   * @param send undefined without a mail server
   * @param publicUrl the beginning of links
   */
  constructor(
    readonly send: SendMail | undefined,
    private readonly publicUrl: string,
  ) {}

  /** @throws OperationError `mail_not_configured` without a mail server */
  refuseUnlessConfigured(): void {
    if (!this.send)
      throw new OperationError(
        'mail_not_configured',
        'This Bearing cannot send mail. Its operator has to set SMTP_URL and PUBLIC_URL of identity.',
      )
  }

  /** Returns a link to a page. The secret follows the "#", which browsers never send, so no log contains it. */
  link(page: string, secret: string): string {
    const url = new URL(page, this.publicUrl.replace(/\/*$/, '/'))
    url.hash = secret
    return url.href
  }
}

/** Prefix of lines that `pnpm start` shows on the terminal and writes to no file. */
const LOCAL_MAIL = '[mail]'

/** Prints mails instead of sending them, for `pnpm start` on a developer's machine. */
export function localTransport(print: (text: string) => void): SendMail {
  return (to, { subject, text }) => {
    const lines = [`to ${to}: ${subject}`, ...text.split('\n').filter((line) => line !== '')]
    print(lines.map((line) => `${LOCAL_MAIL} ${line}\n`).join(''))
    return Promise.resolve()
  }
}
