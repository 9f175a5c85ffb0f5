import { readFileSync } from 'node:fs'
import { loadPackageDefinition, type ServiceDefinition } from '@grpc/grpc-js'
import { fromJSON } from '@grpc/proto-loader'
import protobuf from 'protobufjs'
import type { DynamicValue, Type } from '../wire/value.js'

/** Set by the packer: the executable has no file beside it. */
declare const PACKED_PROTOCOL: string | undefined

/** Returns the service that Terraform calls. */
export function providerService(): ServiceDefinition {
  const text =
    typeof PACKED_PROTOCOL === 'string'
      ? PACKED_PROTOCOL
      : readFileSync(new URL('../../tfplugin6.proto', import.meta.url), 'utf8')
  const definition = fromJSON(protobuf.parse(text).root.toJSON(), {
    enums: String,
    longs: Number,
    arrays: true,
  })
  const { Provider } = loadPackageDefinition(definition)['tfplugin6'] as unknown as {
    Provider: { service: ServiceDefinition } // as the file says
  }
  return Provider.service
}

/** Fields of the requests of all methods; each has some of them. */
export interface Request {
  readonly typeName?: string
  readonly id?: string
  readonly config?: DynamicValue | null
  readonly currentState?: DynamicValue | null
  readonly priorState?: DynamicValue | null
  readonly plannedState?: DynamicValue | null
  readonly proposedNewState?: DynamicValue | null
  readonly rawState?: DynamicValue | null
}

export interface Diagnostic {
  readonly severity: 'ERROR'
  readonly summary: string
  readonly detail: string
  readonly attribute?: AttributePath
}

export interface AttributePath {
  readonly steps: readonly { readonly attributeName: string }[]
}

export interface SchemaAttribute {
  readonly name: string
  readonly type: Uint8Array
  readonly description: string
  readonly descriptionKind: 'MARKDOWN'
  readonly required: boolean
  readonly optional: boolean
  readonly computed: boolean
  readonly sensitive: boolean
  readonly writeOnly: boolean
}

export function pathOf(attribute: string): AttributePath {
  return { steps: [{ attributeName: attribute }] }
}

/** Writes a type as Terraform reads it. */
export function typeBytes(type: Type): Uint8Array {
  return Buffer.from(JSON.stringify(type))
}
