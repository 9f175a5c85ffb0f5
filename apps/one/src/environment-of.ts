import { SERVICE_SETTINGS } from '@bearing/service/ground/service-settings'

/** The parts of the process, in the order of their health ports after `HEALTH_PORT`. */
const PARTS = ['gateway', 'identity', 'management', 'location'] as const

/**
 * Returns the environment of one part of the process: what all have in common, replaced by variables with its prefix, such as
 * `IDENTITY__NATS_NKEY_SEED`. Health ports follow that of the gateway.
 */
export function environmentOf(
  part: (typeof PARTS)[number],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const prefix = `${part.toUpperCase()}__`
  const own: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith(prefix)) own[name.slice(prefix.length)] = value
  const { HEALTH_PORT: first = '' } = environment
  // An empty variable counts as not set.
  const healthPort = Number(first === '' ? SERVICE_SETTINGS.HEALTH_PORT.default : first) + PARTS.indexOf(part)
  return { ...environment, HEALTH_PORT: String(healthPort), ...own }
}
