import type { NatsOptions } from '@bearing/nats/connection'
import type { FactoryProvider } from '@nestjs/common'
import type { BearingRequest } from './request.js'

/** The ids that a request is about. */
export interface Scope {
  readonly organization_id?: string | undefined
  readonly project_id?: string | undefined
}

interface Common {
  /** Returns the ids that a request is about (default: `organization_id` and `project_id` of the path, or of a message). */
  readonly scope?: (request: BearingRequest) => Scope
}

/** Asks identity over NATS. Both guards work. */
export interface NatsMode extends Common {
  /** The NATS user needs the permissions of an internal service. */
  readonly nats: NatsOptions
  /** The service that claims must be made for (default: the name of the connection). */
  readonly audience?: string
}

/** Verifies claims with the keys of a gateway. Only `ClaimsGuard` works. */
export interface JwksMode extends Common {
  /** URL of the keys: `https://<gateway>/.well-known/jwks.json`. */
  readonly jwksUrl: string
  /** The service that claims must be made for: the name of this one. */
  readonly audience: string
}

export type BearingOptions = NatsMode | JwksMode

/** Options that other providers know. */
export type AsyncBearingOptions = Pick<FactoryProvider<BearingOptions>, 'useFactory' | 'inject'>

export const OPTIONS = Symbol('options of Bearing')
