import { createTransport } from 'nodemailer'
import type { SmtpServer } from '../../ground/rules/read-smtp-url.js'
import type { SendMail } from './mailer.js'

/** How long each step with the mail server may take, in milliseconds. */
const STEP_MS = 10_000

/**
 * Sends mails with SMTP.
 *
 * @param from address that they come from
 * @param told of every attempt what came of it (`ok`, the class of the server's reply, `timeout` or `unreachable`), and how
 *   many milliseconds it took
 */
export function smtpTransport(
  { auth, ...server }: SmtpServer,
  from: string,
  told: (outcome: string, durationMs: number) => void,
): SendMail {
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
    const begunMs = performance.now()
    let outcome = 'ok'
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      told(outcome, performance.now() - begunMs)
    }
  }
}

function outcomeOf(error: unknown): string {
  const { code, responseCode } = error as Partial<Record<string, unknown>> // any thrown value has these or not
  if (typeof responseCode === 'number' && responseCode >= 400) return responseCode < 500 ? '4xx' : '5xx'
  return code === 'ETIMEDOUT' ? 'timeout' : 'unreachable'
}
