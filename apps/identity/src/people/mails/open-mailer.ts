import type { Metrics } from '@bearing/service/observe/metrics'
import { SettingsError } from '@bearing/service/ground/settings'
import type { Settings } from '../../config.js'
import { Mailer, localTransport, type SendMail } from './mailer.js'

/** Returns the mailer that the settings describe. @throws SettingsError if they contradict each other */
export async function openMailer(settings: Settings, metrics: Metrics): Promise<Mailer> {
  return new Mailer(await transportOf(settings, metrics), settings.PUBLIC_URL)
}

async function transportOf(
  { SMTP_URL, PUBLIC_URL }: Settings,
  metrics: Metrics,
): Promise<SendMail | undefined> {
  if (!SMTP_URL) return undefined
  if (PUBLIC_URL === '') throw mistake('PUBLIC_URL: is missing: links in mails begin with it')
  if (SMTP_URL === 'log:') return localTransport((text) => process.stdout.write(text))
  // Loaded only if needed: the library is as large as everything else that identity loads.
  const { smtpTransport } = await import('./smtp-transport.js')
  return smtpTransport(SMTP_URL, metrics.outgoing('mail'))
}

function mistake(text: string): SettingsError {
  return new SettingsError(`The settings have mistakes:\n  ${text}`)
}
