import { appendAuditEvent, listAuditChains, recordRefusals, verifyAuditChain } from './identity/audit-log.js'
import { authorizeCredential, credentialChanged, introspectCredential } from './identity/credential.js'
import { getJwks } from './identity/jwks.js'
import { createProjectKey } from './identity/project-key.js'
import { membershipChanged } from './identity/member.js'
import { organizationTokenExpiring, recordTokenUses } from './identity/organization-token.js'
import { reportPeppers } from './identity/pepper.js'
import {
  bootstrapAdmin,
  createUser,
  deleteUser,
  foundOrganization,
  grantMembership,
  issueServiceClaims,
  listOwnMemberships,
  userDeleted,
} from './identity/user.js'
import {
  accessPointsChanged,
  appendToImport,
  beginImport,
  commitImport,
  showImport,
} from './location/access-point-import.js'
import { deleteDevicePositions } from './location/device-position.js'
import { locationFallbackChanged } from './location/location-fallback.js'
import { accessPointsLearned, referenceScansChanged, relearnLayer } from './location/learned.js'
import { forgetAccessPoint, forgetArea, forgetCell } from './location/forgetting.js'
import { approveSharing, listSharing, revokeSharing } from './location/sharing.js'
import { findOrganizationPeople } from './identity/organization-people.js'
import { resetSecondFactor } from './identity/second-factor.js'
import {
  askPartnerLink,
  createPartnerConnection,
  deletePartnerConnection,
  foundPartnerTeam,
  listPartnerConnections,
} from './identity/partner.js'
import { releaseSsoRule } from './identity/sign-in-policy.js'
import { listRejectedObservations, replayRejectedObservations } from './location/rejected-observation.js'
import { dataPolicyChanged, findDataPolicy } from './management/data-policy.js'
import { listDeadLetters, replayDeadLetters } from './management/dead-letter.js'
import { deviceKnownChanged, isDeviceKnown } from './management/device.js'
import { resolveScope } from './management/scope.js'
import { abandonUpload, appendUpload, findUpload, openUpload } from './management/upload.js'
import { areDeviceLocationsWanted } from './management/webhook.js'
import type { Event, Operation } from './operation.js'
import { ROUTES, type Route } from './routes.js'
import {
  CHUNK_STREAM,
  DEAD_LETTER_STREAM,
  DEVICE_LOCATION_STREAM,
  OBSERVATION_STREAM,
  REJECTED_OBSERVATION_STREAM,
  type WorkStream,
} from './streams.js'

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
  /** The events that it tells those who listen at the moment; nothing stores them. */
  readonly tells?: readonly Event[]
  /** The streams that it stores messages in. */
  readonly stores?: readonly WorkStream[]
  /** The queues that it works off: it acknowledges what they hand out. */
  readonly worksOff?: readonly WorkStream[]
  /** The streams that it looks through and deletes from. */
  readonly tends?: readonly WorkStream[]
  /** Whether it keeps files in the object store of NATS. */
  readonly keepsFiles?: boolean
  /** Whether it makes the streams that the events of all, and files, are stored in. */
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
      recordRefusals,
      resolveScope,
      findUpload,
      openUpload,
      appendUpload,
      abandonUpload,
      findDataPolicy,
      isDeviceKnown,
      ...(Object.values(ROUTES) as Route[])
        .map(({ operation }) => operation)
        .filter(({ stored }) => stored !== true),
    ],
    publishes: [],
    hears: [credentialChanged, dataPolicyChanged, deviceKnownChanged],
    stores: [CHUNK_STREAM],
  },
  identity: {
    answers: true,
    calls: [],
    publishes: [credentialChanged, membershipChanged, userDeleted, organizationTokenExpiring],
    hears: [credentialChanged],
    keepsStreams: true,
  },
  management: {
    answers: true,
    calls: [
      getJwks,
      createProjectKey,
      foundOrganization,
      listOwnMemberships,
      foundPartnerTeam,
      askPartnerLink,
      appendAuditEvent.management,
      deleteDevicePositions,
    ],
    publishes: [dataPolicyChanged, deviceKnownChanged],
    hears: [],
    stores: [DEAD_LETTER_STREAM],
    worksOff: [CHUNK_STREAM, DEVICE_LOCATION_STREAM],
    tends: [DEAD_LETTER_STREAM],
    keepsFiles: true,
  },
  location: {
    answers: true,
    calls: [getJwks, appendAuditEvent.location, areDeviceLocationsWanted, findOrganizationPeople],
    publishes: [accessPointsChanged],
    hears: [accessPointsChanged, accessPointsLearned, referenceScansChanged, locationFallbackChanged],
    tells: [accessPointsLearned, referenceScansChanged, locationFallbackChanged],
    stores: [OBSERVATION_STREAM, REJECTED_OBSERVATION_STREAM, DEVICE_LOCATION_STREAM],
    worksOff: [OBSERVATION_STREAM],
    tends: [REJECTED_OBSERVATION_STREAM],
  },
  /** People who run Bearing: `bearing access-points import --shared`, the first account, the doctor. */
  operator: {
    answers: false,
    calls: [
      issueServiceClaims,
      getJwks,
      bootstrapAdmin,
      createUser,
      deleteUser,
      grantMembership,
      reportPeppers,
      resetSecondFactor,
      listAuditChains,
      verifyAuditChain,
      releaseSsoRule,
      createPartnerConnection,
      listPartnerConnections,
      deletePartnerConnection,
      beginImport,
      appendToImport,
      commitImport,
      showImport,
      listDeadLetters,
      replayDeadLetters,
      listRejectedObservations,
      replayRejectedObservations,
      relearnLayer,
      forgetAccessPoint,
      forgetArea,
      forgetCell,
      approveSharing,
      revokeSharing,
      listSharing,
    ],
    publishes: [],
    hears: [],
    discovers: true,
  },
  /** An example: an internal service that asks who its callers are and what they may do, and hears what becomes of them. */
  introspector: {
    answers: false,
    calls: [introspectCredential, authorizeCredential, getJwks],
    publishes: [],
    hears: [credentialChanged, membershipChanged, userDeleted, organizationTokenExpiring],
  },
} as const satisfies Readonly<Record<string, NatsUser>>

/** The name of a user: its connections and inboxes have it too. */
export type NatsUserName = keyof typeof NATS_USERS
/** Every {@link NatsUserName}. */
export const NATS_USER_NAMES = Object.keys(NATS_USERS) as NatsUserName[] // the keys of that very object
