import { createTransport } from 'nodemailer'
import type { SmtpServer } from '../rules/read-smtp-url.js'
import type { SendMail } from './mailer.js'

/** How long each step with the mail server may take, in milliseconds. */
const STEP_MS = 10_000

/**
 * Sends mails with SMTP.
 *
 * @param from address that they come from
 */
export function smtpTransport({ auth, ...server }: SmtpServer, from: string): SendMail {
  const transport = createTransport({
    ...server,
    ...(auth && { auth }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    // Texts are made here; nothing in them may ever be read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (to, mail) => {
    await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
  }
}
