import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { SERVICE_NAMES, type ServiceName } from '../settings-of-environment.js'

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** The settings of one service, as the chart needs them. */
export interface ChartSettings {
  /** Settings that values can set: schema of the value, description and default. */
  readonly plain: Readonly<Record<string, { readonly schema: Schema; readonly default: string }>>
  /** Secret settings without a default, except those that the chart chooses between (`NATS_URL`). */
  readonly required: readonly string[]
  /** Every secret setting. */
  readonly secret: readonly string[]
  /** Connections to Postgres of one process in addition to DATABASE_POOL. */
  readonly moreConnections: number
}

interface Setting {
  readonly schema: z.ZodType
  readonly description: string
  readonly default?: string
  readonly secret?: true
}

/**
 * The chart decides them: ports have names there, and Services, probes and policies use them. For more cores it has replicas, each of which
 * is probed and measured.
 */
const DECIDED_BY_CHART = new Set(['PORT', 'HEALTH_PORT', 'GATEWAY_PROCESSES', 'NODE_NAME'])

/** Connections of one process in addition to DATABASE_POOL: location opens pools for imports, learning and reference scans. */
const MORE_CONNECTIONS: Partial<Record<ServiceName, number>> = { location: 10 }

/**
 * Reads the settings of every service from the schemas that the services read their environment with.
 *
 * @throws where a setting without a default is no secret: values would have to require it
 */
export async function chartSettings(checkout: string): Promise<Record<ServiceName, ChartSettings>> {
  const entries = await Promise.all(
    SERVICE_NAMES.map(async (service) => {
      // By path, since no package may import an app.
      const file = pathToFileURL(join(checkout, 'apps', service, 'dist', 'config.js')).href
      const { CONFIG } = (await import(file)) as { CONFIG: Record<string, Setting> } // every service has one
      return [service, ofService(service, CONFIG)] as const
    }),
  )
  return Object.fromEntries(entries) as Record<ServiceName, ChartSettings> // one for every service, just above
}

function ofService(service: ServiceName, config: Readonly<Record<string, Setting>>): ChartSettings {
  const secrets = Object.entries(config).filter(([, { secret }]) => secret)
  const plain = Object.entries(config).filter(([name, { secret }]) => !secret && !DECIDED_BY_CHART.has(name))
  return {
    plain: Object.fromEntries(
      plain.map(([name, setting]) => {
        if (setting.default === undefined) throw new Error(`${name} has no default and is no secret`)
        return [name, { schema: schemaOf(setting), default: setting.default }]
      }),
    ),
    required: secrets
      .filter(([name, setting]) => setting.default === undefined && name !== 'NATS_URL')
      .map(([name]) => name),
    secret: secrets.map(([name]) => name),
    moreConnections: MORE_CONNECTIONS[service] ?? 0,
  }
}

/** The schema of a value: of the text in the environment, or of the number that the text stands for. */
function schemaOf({ schema, description, ...setting }: Setting): Schema {
  const convert = (io: 'input' | 'output') => z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  const read = convert('output')
  const isNumber = read['type'] === 'integer' || read['type'] === 'number'
  const input = convert('input')
  const rules = Object.fromEntries(
    Object.entries(isNumber && input['type'] !== 'string' ? read : input).filter(
      // JSON Schema has no flags: a pattern that ignores case would refuse the default.
      ([key, value]) =>
        key !== '$schema' &&
        (key !== 'pattern' || new RegExp(String(value), 'u').test(setting.default ?? '')),
    ),
  )
  const isSwitch = JSON.stringify(rules['enum']) === '["yes","no"]'
  return {
    // YAML reads an unquoted `yes` as true.
    ...(isSwitch ? { enum: ['yes', 'no', true, false] } : rules),
    description: setting.default === '' ? description : `${description} (default: ${setting.default ?? ''})`,
  }
}

/** Returns the file that templates read: names and defaults of settings, by service. */
export function settingsFile(settings: Readonly<Record<ServiceName, ChartSettings>>): string {
  const services = SERVICE_NAMES.map((service) => {
    const { plain, required, secret, moreConnections } = settings[service]
    const defaults = Object.entries(plain).map(([name, setting]) => [name, setting.default])
    const file = {
      plain: Object.fromEntries(defaults) as Record<string, string>,
      required,
      redis: secret.includes('REDIS_URL'),
      connections: moreConnections,
    }
    return [service, file]
  })
  return `${JSON.stringify(Object.fromEntries(services), undefined, 2)}\n`
}
