import { createTransport } from 'nodemailer'
import type { SmtpServer } from '../../ground/rules/read-smtp-url.js'
import type { SendMail } from './mailer.js'

/** Timeout of each step with the mail server, in milliseconds. */
const STEP_MS = 10_000

/**
 * Sends mails with SMTP.
 *
 * @param observe receives the outcome of every attempt (`ok`, the class of the server's reply, `timeout` or `unreachable`)
 *   and its duration in milliseconds
 */
export function smtpTransport(
  { auth, from, ...server }: SmtpServer,
  observe: (outcome: string, durationMs: number) => void,
): SendMail {
  const transport = createTransport({
    ...server,
    ...(auth && { auth }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    // Nothing in a mail may be read from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (to, mail) => {
    const startedMs = performance.now()
    let outcome = 'ok'
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, ...mail })
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      observe(outcome, performance.now() - startedMs)
    }
  }
}

function outcomeOf(error: unknown): string {
  const { code, responseCode } = error as Partial<Record<string, unknown>> // any thrown value has these or not
  if (typeof responseCode === 'number' && responseCode >= 400) return responseCode < 500 ? '4xx' : '5xx'
  return code === 'ETIMEDOUT' ? 'timeout' : 'unreachable'
}
