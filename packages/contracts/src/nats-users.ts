import { credentialChanged, introspectCredential } from './identity/credential.js'
import { getJwks } from './identity/jwks.js'
import { createProjectKey } from './identity/project-key.js'
import { membershipChanged } from './identity/member.js'
import { recordTokenUses } from './identity/organization-token.js'
import {
  bootstrapAdmin,
  createUser,
  foundOrganization,
  grantMembership,
  issueServiceClaims,
} from './identity/user.js'
import {
  accessPointsChanged,
  appendToImport,
  beginImport,
  commitImport,
  showImport,
} from './location/access-point-import.js'
import { resolveAddress } from './management/address.js'
import type { Event, Operation } from './operation.js'
import { ROUTES } from './routes.js'

/** A user of NATS, and what it does there. NATS lets it do that and nothing else. */
export interface NatsUser {
  /** Whether it answers the operations whose subjects begin with its name. */
  readonly answers: boolean
  /** The operations that it calls. */
  readonly calls: readonly Operation[]
  /** The events that it publishes; their subjects begin with its name. */
  readonly publishes: readonly Event[]
  /** The events that it listens to. */
  readonly hears: readonly Event[]
  /** Whether it makes the streams that the events of all are stored in. */
  readonly keepsStreams?: boolean
  /** Whether it asks services what they are (`$SRV`, ADR-32). */
  readonly discovers?: boolean
}

/**
 * Who speaks with whom over NATS. A service that calls one more operation gets a word here, or NATS refuses the call.
 */
export const NATS_USERS = {
  gateway: {
    answers: false,
    calls: [
      introspectCredential,
      recordTokenUses,
      resolveAddress,
      ...Object.values(ROUTES).map(({ operation }) => operation),
    ],
    publishes: [],
    hears: [credentialChanged],
  },
  identity: {
    answers: true,
    calls: [],
    publishes: [credentialChanged, membershipChanged],
    hears: [credentialChanged],
    keepsStreams: true,
  },
  management: {
    answers: true,
    calls: [getJwks, createProjectKey, foundOrganization],
    publishes: [],
    hears: [],
  },
  location: {
    answers: true,
    calls: [getJwks],
    publishes: [accessPointsChanged],
    hears: [accessPointsChanged],
  },
  /** People who run Bearing: `bearing access-points import --shared`, the first account. */
  operator: {
    answers: false,
    calls: [
      issueServiceClaims,
      bootstrapAdmin,
      createUser,
      grantMembership,
      beginImport,
      appendToImport,
      commitImport,
      showImport,
    ],
    publishes: [],
    hears: [],
    discovers: true,
  },
  /** An example: an internal service that asks who its callers are, and nothing else. */
  introspector: {
    answers: false,
    calls: [introspectCredential, getJwks],
    publishes: [],
    hears: [credentialChanged],
  },
} as const satisfies Readonly<Record<string, NatsUser>>

/** The name of a user: its connections and inboxes have it too. */
export type NatsUserName = keyof typeof NATS_USERS
/** Every {@link NatsUserName}. */
export const NATS_USER_NAMES = Object.keys(NATS_USERS) as NatsUserName[] // the keys of that very object
