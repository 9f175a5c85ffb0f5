import { appendAuditEvent } from '../identity/audit/audit-append.js'
import { readAuditEntries } from '../identity/audit/audit-checkpoint.js'
import { listAuditChains, recordRefusals, verifyAuditChain } from '../identity/audit/audit-log.js'
import {
  authorizeCredential,
  credentialChanged,
  introspectCredential,
} from '../identity/credentials/credential.js'
import { countProvenDevices, eraseDeviceKeys, recordDeviceKeyUses } from '../identity/devices/device-key.js'
import { getJwks } from '../identity/credentials/jwks.js'
import {
  createProjectKey,
  importProjectKey,
  listKeyImports,
  recordKeyUses,
} from '../identity/credentials/project-key.js'
import { membershipChanged } from '../identity/members/member.js'
import { organizationTokenExpiring, recordTokenUses } from '../identity/tokens/organization-token.js'
import { reportPeppers } from '../identity/credentials/pepper.js'
import {
  bootstrapAdmin,
  createUser,
  deleteUser,
  addFirstAdmin,
  addFirstAdminFor,
  grantMembership,
  issueServiceClaims,
  listOwnMemberships,
  userDeleted,
} from '../identity/people/user.js'
import {
  accessPointsChanged,
  appendToImport,
  beginImport,
  commitImport,
  showImport,
} from '../location/access-points/access-point-import.js'
import { deleteDevicePositions, eraseDevicePositions } from '../location/positions/device-position.js'
import { locationFallbackChanged } from '../location/settings/location-fallback.js'
import {
  accessPointsLearned,
  referenceScansChanged,
  relearnLayer,
} from '../location/access-points/learned.js'
import { forgetAccessPoint, forgetArea, forgetCell } from '../location/access-points/erase-stations.js'
import { listLookupHours, listLookupUsage } from '../location/lookups/lookup-usage.js'
import { listRequestUsage, recordRequestUsage } from '../identity/credentials/request-usage.js'
import { changeUserEmail } from '../identity/people/email-change.js'
import { resetSecondFactor } from '../identity/people/second-factor.js'
import {
  recordPartnerLinkRequest,
  createPartnerConnection,
  deletePartnerConnection,
  assignPartnerOrganization,
  listPartnerConnections,
} from '../identity/sso/partner.js'
import { releaseSsoRule } from '../identity/sso/sign-in-policy.js'
import {
  listRejectedObservations,
  replayRejectedObservations,
} from '../location/observations/rejected-observation.js'
import { createAuditSink } from '../management/operator-audit-sink.js'
import { dataPolicyChanged, findDataPolicy } from '../management/data/data-policy.js'
import {
  DELETION_EVENTS,
  deleteOrganization,
  deleteProject,
  eraseOrganization,
  eraseProject,
  listDeletedOrganizations,
  restoreOrganization,
  restoreProject,
  showOrganizationDeletion,
} from '../management/tenancy/deletion.js'
import { listDeadLetters, replayDeadLetters } from '../management/data/dead-letter.js'
import { deviceKnownChanged, isDeviceKnown } from '../management/devices/device.js'
import {
  createOrganizationFor,
  findCreator,
  organizationChanged,
} from '../management/tenancy/organization.js'
import { projectChanged } from '../management/tenancy/project.js'
import { findOnlyProject, resolveScope } from '../management/tenancy/scope.js'
import { abandonUpload, appendUpload, findUpload, openUpload } from '../management/data/upload.js'
import type { Event, Operation } from '../operation.js'
import { eraseTenantIdentity, setTenantState } from '../identity/members/tenant.js'
import { eraseTenantLocation } from '../location/settings/tenant.js'
import { ROUTES, type Route } from '../routes.js'
import {
  CHUNK_STREAMS,
  DEAD_LETTER_STREAM,
  DEVICE_DATA_STREAM,
  DEVICE_LOCATION_STREAM,
  OBSERVATION_STREAM,
  OBSERVATION_DEAD_LETTER_STREAM,
  TOKEN_NOTICE_STREAM,
  type WorkStream,
} from './streams.js'

/** A user of NATS and its permissions. */
export interface NatsUser {
  /** True if it serves the operations whose subjects start with its name. */
  readonly serves: boolean
  readonly calls: readonly Operation[]
  /** Events that it stores in its stream. Their subjects start with its name. */
  readonly publishes: readonly Event[]
  readonly subscribes: readonly Event[]
  /** Events that reach only current subscribers; no stream stores them. */
  readonly broadcasts?: readonly Event[]
  /** Streams that it stores messages in. */
  readonly stores?: readonly WorkStream[]
  /** Queues whose messages it processes and acknowledges. */
  readonly consumes?: readonly WorkStream[]
  /** Streams that it reads and deletes messages from. */
  readonly manages?: readonly WorkStream[]
  /** Streams that it creates consumers of, for others: that user can have messages sent to any subject. */
  readonly opens?: readonly WorkStream[]
  /** True if it stores files in the object store of NATS. */
  readonly storesFiles?: boolean
  /** True if it creates the streams of all events and files. */
  readonly createsStreams?: boolean
  /** True if its processes report their state, although it serves nothing. */
  readonly reports?: boolean
  /** True if it discovers services (`$SRV`, ADR-32). */
  readonly discovers?: boolean
}

/** Events of management that gateways follow. */
const PROJECT_EVENTS = [
  ...[dataPolicyChanged, deviceKnownChanged, organizationChanged, projectChanged],
  ...DELETION_EVENTS,
] as const

/** The permissions of each NATS user. NATS refuses a call that is missing here. */
export const NATS_USERS = {
  gateway: {
    serves: false,
    reports: true,
    calls: [
      introspectCredential,
      getJwks,
      recordTokenUses,
      recordKeyUses,
      recordDeviceKeyUses,
      recordRequestUsage,
      recordRefusals,
      resolveScope,
      findOnlyProject,
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
    subscribes: [credentialChanged, ...PROJECT_EVENTS],
    stores: CHUNK_STREAMS,
  },
  identity: {
    serves: true,
    calls: [],
    publishes: [credentialChanged, membershipChanged, userDeleted, organizationTokenExpiring],
    subscribes: [credentialChanged],
    stores: [TOKEN_NOTICE_STREAM],
    createsStreams: true,
  },
  management: {
    serves: true,
    calls: [
      getJwks,
      createProjectKey,
      addFirstAdmin,
      addFirstAdminFor,
      listOwnMemberships,
      assignPartnerOrganization,
      recordPartnerLinkRequest,
      appendAuditEvent.management,
      deleteDevicePositions,
      listRequestUsage,
      listLookupHours,
      listLookupUsage,
      eraseDevicePositions,
      eraseDeviceKeys,
      countProvenDevices,
      readAuditEntries,
      setTenantState,
      eraseTenantIdentity,
      eraseTenantLocation,
    ],
    publishes: [...PROJECT_EVENTS],
    subscribes: [],
    stores: [DEAD_LETTER_STREAM, DEVICE_DATA_STREAM],
    consumes: [...CHUNK_STREAMS, DEVICE_LOCATION_STREAM, TOKEN_NOTICE_STREAM],
    manages: [DEAD_LETTER_STREAM, DEVICE_DATA_STREAM],
    storesFiles: true,
  },
  location: {
    serves: true,
    calls: [getJwks, appendAuditEvent.location, findCreator],
    publishes: [accessPointsChanged],
    subscribes: [accessPointsChanged, accessPointsLearned, referenceScansChanged, locationFallbackChanged],
    broadcasts: [accessPointsLearned, referenceScansChanged, locationFallbackChanged],
    stores: [OBSERVATION_STREAM, OBSERVATION_DEAD_LETTER_STREAM, DEVICE_LOCATION_STREAM],
    consumes: [OBSERVATION_STREAM],
    manages: [OBSERVATION_DEAD_LETTER_STREAM],
  },
  /** Operators: `bearing access-points import --shared`, the first account, the doctor. */
  operator: {
    serves: false,
    calls: [
      issueServiceClaims,
      getJwks,
      bootstrapAdmin,
      createUser,
      deleteUser,
      grantMembership,
      reportPeppers,
      resetSecondFactor,
      changeUserEmail,
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
      listDeletedOrganizations,
      showOrganizationDeletion,
      deleteOrganization,
      createOrganizationFor,
      ...[importProjectKey, listKeyImports, restoreOrganization, eraseOrganization],
      ...[deleteProject, restoreProject, eraseProject, createAuditSink],
    ],
    publishes: [],
    subscribes: [],
    opens: [DEVICE_DATA_STREAM],
    discovers: true,
  },
  /** An example of an internal service that authenticates and authorizes callers, and follows their changes. */
  introspector: {
    serves: false,
    calls: [introspectCredential, authorizeCredential, getJwks],
    publishes: [],
    subscribes: [
      credentialChanged,
      membershipChanged,
      userDeleted,
      organizationTokenExpiring,
      ...DELETION_EVENTS,
    ],
  },
} as const satisfies Readonly<Record<string, NatsUser>>

/** The name of a user, and of its connections and inboxes. */
export type NatsUserName = keyof typeof NATS_USERS
/** Every {@link NatsUserName}. */
export const NATS_USER_NAMES = Object.keys(NATS_USERS) as NatsUserName[] // its keys
