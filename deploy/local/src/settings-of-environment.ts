import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SERVICES, type Service } from '@bearing/prisma/services'

/** A program that `pnpm start` runs. */
export type ServiceName = Service | 'gateway'

export const SERVICE_NAMES = [...SERVICES, 'gateway'] as const satisfies readonly ServiceName[]

/** By service: the names of its settings. */
export type SettingNames = Readonly<Record<ServiceName, readonly string[]>>

/** Settings in the environment of `pnpm start`. Holds secrets. */
export interface SettingsOfEnvironment {
  /** By service: its settings that are set. */
  readonly values: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>
  /** Names of the settings that are passed on. */
  readonly taken: readonly string[]
  /** Names of the settings that are set but not passed on, because `start` decides them. */
  readonly ignored: readonly string[]
}

/**
 * Settings that `start` decides: it listens on loopback only, four processes cannot share a port, and it makes the roles
 * of its Postgres and the users of its NATS. `NATS_URL` is here because `start` reads it itself.
 */
const DECIDED_BY_START = new Set([
  'HOST',
  'PORT',
  'HEALTH_PORT',
  'NATS_URL',
  'NATS_NKEY_SEED',
  ...SERVICES.map((service) => `${service.toUpperCase()}_DATABASE_URL`),
])

/**
 * Returns the settings of every service that are set in an environment. An empty one counts: it replaces the value that
 * `start` would set with the default of the service.
 */
export function readSettingsOfEnvironment(
  names: SettingNames,
  environment: Readonly<Record<string, string | undefined>>,
): SettingsOfEnvironment {
  const isSet = (name: string) => environment[name] !== undefined
  const valuesOf = (service: ServiceName) =>
    Object.fromEntries(
      names[service].flatMap((name) => {
        const value = DECIDED_BY_START.has(name) ? undefined : environment[name]
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
  const all = [...new Set(SERVICE_NAMES.flatMap((service) => names[service]))].filter(isSet).toSorted()
  return {
    values: {
      identity: valuesOf('identity'),
      management: valuesOf('management'),
      location: valuesOf('location'),
      gateway: valuesOf('gateway'),
    },
    taken: all.filter((name) => !DECIDED_BY_START.has(name)),
    ignored: all.filter((name) => DECIDED_BY_START.has(name) && name !== 'NATS_URL'),
  }
}

/** Reads the names of the settings of every service, from the schemas that the services read their environment with. */
export async function settingNames(checkout: string): Promise<SettingNames> {
  const namesOf = async (service: ServiceName) => {
    // By path, since no package may import an app.
    const file = pathToFileURL(join(checkout, 'apps', service, 'dist', 'config.js')).href
    const { CONFIG } = (await import(file)) as { CONFIG: object } // every service has one
    return [service, Object.keys(CONFIG)] as const
  }
  const entries = await Promise.all(SERVICE_NAMES.map((service) => namesOf(service)))
  return Object.fromEntries(entries) as Record<ServiceName, string[]> // one for every service, just above
}
