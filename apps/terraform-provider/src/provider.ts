import { ProblemError } from '@bearing/client/errors'
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import { DATA_SOURCES, EPHEMERAL_RESOURCES } from './declarations/data-sources.js'
import type { DataSource, EphemeralResource, Resource } from './declarations/resource.js'
import { RESOURCES } from './declarations/resources.js'
import { Connection, PROVIDER_ATTRIBUTES } from './engine/connection.js'
import { mistakesIn, plan } from './engine/plan.js'
import {
  createResource,
  deleteResource,
  importedState,
  PartialError,
  readResource,
  updateResource,
} from './engine/resources.js'
import { openEphemeral, readSource } from './engine/sources.js'
import { pathOf, typeBytes, type Diagnostic, type Request, type SchemaAttribute } from './plugin/protocol.js'
import { attributesOf, timeoutMsOf, typesOf, type Attribute, type Attributes } from './schema/attributes.js'
import { ephemeralAttributes, sourceAttributes } from './schema/source-attributes.js'
import { isSame, readValues, writeValues, type Values } from './wire/value.js'

const PREFIX = 'bearing_'

type Method = (request: Request) => object | Promise<object>

/** Answers Terraform. One process has one configuration of the provider. */
export class Provider {
  private readonly stopping = new AbortController()
  private connection: Connection

  constructor(private readonly environment: NodeJS.ProcessEnv) {
    this.connection = new Connection({}, environment, this.stopping.signal)
  }

  /** The methods of the protocol. A failure of one is a diagnostic. */
  methods(): UntypedServiceImplementation {
    const methods: Readonly<Record<string, Method>> = {
      getProviderSchema: () => this.schema(),
      validateProviderConfig: ({ config }) => check(config, PROVIDER_ATTRIBUTES),
      validateResourceConfig: ({ config, typeName }) => check(config, attributesOf(resource(typeName))),
      validateDataResourceConfig: ({ config, typeName }) => check(config, sourceAttributes(source(typeName))),
      validateEphemeralResourceConfig: ({ config, typeName }) =>
        check(config, ephemeralAttributes(ephemeral(typeName))),
      upgradeResourceState: ({ rawState, typeName }) => ({
        upgradedState: write(readValues(rawState), attributesOf(resource(typeName))),
      }),
      configureProvider: ({ config }) => {
        this.connection = new Connection(readValues(config) ?? {}, this.environment, this.stopping.signal)
        return {}
      },
      readResource: async ({ currentState, typeName }) => {
        const of = resource(typeName)
        const state = readValues(currentState)
        return {
          newState: write(
            state && (await readResource(of, state, await this.connection.api(timeoutMsOf('read', state)))),
            attributesOf(of),
          ),
        }
      },
      planResourceChange: (request) => this.plan(request),
      applyResourceChange: (request) => this.apply(request),
      importResourceState: (request) => this.import(request),
      readDataSource: async ({ config, typeName }) => {
        const of = source(typeName)
        return {
          state: write(await readSource(of, readValues(config) ?? {}, this.connection), sourceAttributes(of)),
        }
      },
      openEphemeralResource: (request) => this.open(request),
      // A derived token expires soon, and no token can delete tokens.
      closeEphemeralResource: () => ({}),
      stopProvider: () => {
        this.stopping.abort(new Error('Terraform was stopped.'))
        return {}
      },
    }
    return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, answering(method)]))
  }

  private schema(): object {
    return {
      provider: schemaOf(PROVIDER_ATTRIBUTES, 'Bearing, the self-hosted front door of a device fleet.'),
      resourceSchemas: schemas(RESOURCES, attributesOf),
      dataSourceSchemas: schemas(DATA_SOURCES, sourceAttributes),
      ephemeralResourceSchemas: schemas(EPHEMERAL_RESOURCES, ephemeralAttributes),
      serverCapabilities: { planDestroy: true },
    }
  }

  private plan({ typeName, priorState, proposedNewState, config }: Request): object {
    const of = resource(typeName)
    const attributes = attributesOf(of)
    const prior = readValues(priorState)
    if (readValues(proposedNewState) === null) {
      refuseProtected(of, prior)
      return { plannedState: write(null, attributes) }
    }
    const { planned, replaces } = plan(prior, readValues(config) ?? {}, attributes)
    if (replaces.length > 0) refuseProtected(of, prior)
    return { plannedState: write(planned, attributes), requiresReplace: replaces.map(pathOf) }
  }

  private async apply({ typeName, priorState, plannedState, config }: Request): Promise<object> {
    const of = resource(typeName)
    const attributes = attributesOf(of)
    const [prior, planned] = [readValues(priorState), readValues(plannedState)]
    const operation = planned === null ? 'delete' : prior ? 'update' : 'create'
    const api = await this.connection.api(timeoutMsOf(operation, planned ?? prior ?? {}))
    try {
      if (planned === null) {
        refuseProtected(of, prior)
        await deleteResource(of, prior ?? {}, api)
        return { newState: write(null, attributes) }
      }
      const secrets = secretsOf(of, prior, readValues(config) ?? {})
      const state = prior
        ? await updateResource(of, { prior, planned, secrets }, api)
        : await createResource(of, planned, secrets, api)
      return { newState: write(state, attributes) }
    } catch (error) {
      const state = error instanceof PartialError ? error.state : prior
      return { newState: write(state, attributes), diagnostics: [diagnosticOf(error)].flat() }
    }
  }

  private async import({ typeName, id = '' }: Request): Promise<object> {
    const of = resource(typeName)
    const state = await importedState(of, id, await this.connection.api())
    if (!state)
      throw new Error(`There is no ${of.name.replaceAll('_', ' ')} "${id}" that the credential may see.`)
    return { importedResources: [{ typeName, state: write(state, attributesOf(of)) }] }
  }

  private async open({ typeName, config }: Request): Promise<object> {
    const of = ephemeral(typeName)
    const attributes = ephemeralAttributes(of)
    const opened = await openEphemeral(of, { config: readValues(config) ?? {}, attributes }, this.connection)
    return { result: write(opened, attributes) }
  }
}

/** Returns the write-only values to send: those of a new object, and those whose version has changed. */
function secretsOf({ secrets = [] }: Resource, prior: Values | null, config: Values): Values {
  const sent = secrets.filter((name) => {
    const version = `${name}_version`
    return !prior || !isSame(prior[version], config[version], 'number')
  })
  return Object.fromEntries(sent.map((name) => [name, config[name] ?? null]))
}

function refuseProtected({ name, isProtected }: Resource, prior: Values | null): void {
  if (isProtected && prior?.['deletion_protection'] !== false)
    throw new Error(
      `This ${name} is protected from deletion. Set deletion_protection = false and apply, if it is to be destroyed.`,
    )
}

function answering(method: Method) {
  return ({ request }: { request: Request }, done: (error: Error | null, reply?: object) => void) => {
    const answer = async () => method(request)
    answer().then(
      (reply) => {
        done(null, reply)
      },
      (error: unknown) => {
        done(null, { diagnostics: diagnosticOf(error) })
      },
    )
  }
}

function diagnosticOf(error: unknown): Diagnostic[] {
  if (error instanceof PartialError) return diagnosticOf(error.cause)
  if (!(error instanceof ProblemError))
    return [
      {
        severity: 'ERROR',
        summary: 'Bearing',
        detail: error instanceof Error ? error.message : String(error),
      },
    ]
  const { title, detail, code, requestId, mistakes } = error.problem
  const where = `(${code}${requestId === undefined ? '' : `, request ${requestId}`})`
  const whole: Diagnostic = { severity: 'ERROR', summary: title, detail: `${detail} ${where}` }
  return mistakes.length === 0
    ? [whole]
    : mistakes.map((mistake) => {
        const [, attribute = ''] = mistake.pointer.split('/')
        return {
          ...{ ...whole, detail: `${mistake.detail} ${where}` },
          ...(attribute && { attribute: pathOf(attribute) }),
        }
      })
}

function check(config: Request['config'], attributes: Attributes): object {
  const mistakes = mistakesIn(readValues(config) ?? {}, attributes)
  return {
    diagnostics: mistakes.map(({ attribute, detail }): Diagnostic => ({
      ...{ severity: 'ERROR', summary: `Invalid value of ${attribute}`, detail },
      attribute: pathOf(attribute),
    })),
  }
}

function write(values: Values | null, attributes: Attributes) {
  return writeValues(values, typesOf(attributes))
}

interface Named {
  readonly name: string
  readonly summary: string
}

function schemas<Kind extends Named>(all: readonly Kind[], attributes: (of: Kind) => Attributes): object {
  return Object.fromEntries(all.map((of) => [PREFIX + of.name, schemaOf(attributes(of), of.summary)]))
}

function schemaOf(attributes: Attributes, description: string): object {
  return { version: 0, block: { description, attributes: [...attributes.values()].map(schemaAttribute) } }
}

function schemaAttribute({
  name,
  type,
  description,
  mode,
  isSensitive,
  isWriteOnly,
}: Attribute): SchemaAttribute {
  return {
    ...{ name, type: typeBytes(type), description, descriptionKind: 'MARKDOWN' },
    required: mode === 'required',
    optional: mode.startsWith('optional'),
    computed: mode.endsWith('computed'),
    sensitive: isSensitive === true,
    writeOnly: isWriteOnly === true,
  }
}

const resource = (name: string | undefined): Resource => named(RESOURCES, name)
const source = (name: string | undefined): DataSource => named(DATA_SOURCES, name)
const ephemeral = (name: string | undefined): EphemeralResource => named(EPHEMERAL_RESOURCES, name)

function named<Kind extends Named>(all: readonly Kind[], name = ''): Kind {
  const found = all.find((of) => PREFIX + of.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}
