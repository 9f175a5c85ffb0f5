// The public API of `@bearing/client-nats`. Packages of this repository import the files.

export {
  IdentityClient,
  MAX_CACHED_MS,
  type AuthorizationRequest,
  type IdentityClientOptions,
} from './identity-client.js'
export type { AskedFor, ClaimsScope } from './credential-cache.js'
export type { CacheFigures } from './remote-cache.js'
export { OperationError, type ErrorCode, type ErrorDetails } from '@bearing/contracts/errors'
export {
  credentialChanged,
  type Decision,
  type Introspected,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
export { membershipChanged } from '@bearing/contracts/identity/members/member'
export { organizationTokenExpiring } from '@bearing/contracts/identity/tokens/organization-token'
export { userDeleted } from '@bearing/contracts/identity/people/user'
export {
  organizationDeleted,
  organizationErased,
  organizationRestored,
  projectDeleted,
  projectErased,
  projectRestored,
} from '@bearing/contracts/management/tenancy/deletion'
export type { Event, EventData } from '@bearing/contracts/operation'
export type { Permission } from '@bearing/contracts/permission'
export type { Principal } from '@bearing/contracts/principal'
export { connectNats, type Connection, type NatsOptions } from '@bearing/nats/connection'
export { onEvent } from '@bearing/nats/events'
